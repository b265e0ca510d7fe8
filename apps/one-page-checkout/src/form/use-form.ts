import type { PaymentMethodType } from '@tillwright/plugin-sdk'
import type { TypedDebit } from '@tillwright/plugin-sdk/methods'
import { usePage } from '@tillwright/plugin-sdk/preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import type { TypedAddress } from '../address/check-address.ts'
import {
  complaintsOf,
  complaintsOfDebit,
  type AddressKind,
  type Complaint,
  type FieldName,
  type FormRules,
} from './complaints-of.ts'
import { keepDraft, readDraft, type Draft } from './kept-draft.ts'

/** The typed values and their errors. */
export interface Form {
  draft: Draft
  /** The payment method: the chosen one if it is offered, the first otherwise. */
  method: PaymentMethodType
  change(part: Partial<Draft>): void
  changeAddress(kind: AddressKind, part: TypedAddress & { country?: string }): void
  changeDebit(part: Partial<TypedDebit>): void
  /** Marks a field as left: its error may show from now on. */
  leave(name: FieldName): void
  /** The error of a field: `null` until the buyer has left it or tried to pay. */
  complaintAt(name: FieldName): Complaint | null
  /** The platform does not take what is in a field. */
  refuse(name: FieldName, text: Complaint['text']): void
  /** @returns Whether all is right; else every complaint is shown and the first wrong field has the focus. */
  check(): boolean
  /** The same without what only the chosen method asks for. */
  checkBuyer(): boolean
}

interface WholeRules extends FormRules {
  /** The methods that the order can be paid with. */
  methods: readonly PaymentMethodType[]
}

/** The form of the page, begun with what the tab has kept. */
export function useForm({ methods, ...rules }: WholeRules): Form {
  const { storeId } = usePage().data
  const [draft, setDraft] = useState(() => readDraft(storeId, () => sessionStorage))
  const [left, setLeft] = useState<ReadonlySet<FieldName>>(new Set())
  const [refused, setRefused] = useState<ReadonlyMap<FieldName, Complaint>>(new Map())
  const [checks, setChecks] = useState(0)
  const method = methods.includes(draft.method) ? draft.method : (methods[0] ?? 'card')
  const ofBuyer = complaintsOf(draft, rules)
  const complaints = method === 'sepa_debit' ? new Map([...ofBuyer, ...complaintsOfDebit(draft.debit)]) : ofBuyer

  useEffect(() => keepDraft(draft, storeId, () => sessionStorage), [draft, storeId])
  useFocusOnWrong(checks)
  const change = (part: Partial<Draft>): void => {
    setDraft((typed) => ({ ...typed, ...part }))
    setRefused(new Map())
  }
  const hold = (found: ReadonlyMap<FieldName, Complaint>): boolean => {
    if (found.size > 0) setChecks((times) => times + 1)
    return found.size === 0
  }
  return {
    draft,
    method,
    change,
    changeAddress: (kind, part) => setDraft((typed) => ({ ...typed, [kind]: { ...typed[kind], ...part } })),
    changeDebit(part) {
      setDraft((typed) => ({ ...typed, debit: { ...typed.debit, ...part } })) // a password manager fills in several at once
      setRefused(new Map())
    },
    leave: (name) => setLeft((names) => new Set(names).add(name)),
    complaintAt: (name) => {
      const complaint = checks > 0 || left.has(name) ? complaints.get(name) : undefined
      return refused.get(name) ?? complaint ?? null
    },
    refuse: (name, text) => {
      setRefused(new Map([[name, { text }]]))
      setChecks((times) => times + 1)
    },
    check: () => hold(complaints),
    checkBuyer: () => hold(ofBuyer),
  }
}

/** Behind the rendering that marks the fields, because the first of them is found by its mark. */
function useFocusOnWrong(checks: number): void {
  const seen = useRef(checks)
  useEffect(() => {
    if (seen.current === checks) return
    seen.current = checks
    document.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
  }, [checks])
}
