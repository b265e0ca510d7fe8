import type { PaymentMethodType, PayOutcome } from '@tillwright/plugin-sdk'
import { checkDebit, type DebitFault, debitMethod, openMethods, type TypedDebit } from '@tillwright/plugin-sdk/methods'
import { usePage, useStore } from '@tillwright/plugin-sdk/preact'
import { useMemo, useState } from 'preact/hooks'
import type { Texts } from '../texts/en.ts'

/** What the order can be paid with, what was chosen, and what was typed for it. */
export interface Methods {
  types: readonly PaymentMethodType[]
  /** What was chosen, or the first that there is. */
  chosen: PaymentMethodType
  choose(type: PaymentMethodType): void
  debit: TypedDebit
  problems: Partial<Record<keyof TypedDebit, DebitFault>>
  typeDebit(part: Partial<TypedDebit>): void
  /** Checks what the method asks for. @returns Whether all is well; otherwise `problems` tell. */
  check(): boolean
  /** Pays with what was chosen. An order that is being paid is not paid twice: its payment goes on. */
  pay(): Promise<PayOutcome>
}

/** The methods of the checkout. Of a debit nothing is kept outside of this page. */
export function useMethods(): Methods {
  const page = usePage()
  const types = useStore(useMemo(() => openMethods(page), [page]))
  const [wanted, setWanted] = useState<PaymentMethodType | null>(null)
  const [debit, setDebit] = useState<TypedDebit>({ iban: '', holderName: '', mandateAccepted: false })
  const [problems, setProblems] = useState<Methods['problems']>({})
  // Who comes back from a method's page without having paid finds it chosen.
  const before = page.session.get().view?.payment?.paymentMethod.type
  const chosen = types.find((type) => type === (wanted ?? before)) ?? types[0] ?? 'card'
  return {
    types,
    chosen,
    choose: setWanted,
    debit,
    problems,
    typeDebit(part) {
      setDebit({ ...debit, ...part })
      setProblems({})
    },
    check() {
      const found = chosen === 'sepa_debit' ? checkDebit(debit) : {}
      setProblems(found)
      return Object.keys(found).length === 0
    },
    pay() {
      if (chosen === 'card') return page.pay.withCard()
      return page.pay.withMethod(chosen === 'sepa_debit' ? debitMethod(debit) : { type: chosen })
    },
  }
}

/** What a method is called. Brands have the same name in every language. */
export function nameOfMethod(type: PaymentMethodType, texts: Texts): string {
  switch (type) {
    case 'ideal':
      return 'iDEAL'
    case 'paypal':
      return 'PayPal'
    case 'card':
      return texts.methodCard
    case 'sepa_debit':
      return texts.methodDebit
    case 'voucher':
      return texts.methodVoucher
    case 'none':
      return texts.none
  }
}
