import type { PaymentMethodType, PayOutcome } from '@tillwright/plugin-sdk'
import { checkDebit, type DebitFault, debitMethod, openMethods, type TypedDebit } from '@tillwright/plugin-sdk/methods'
import { usePage, useStore } from '@tillwright/plugin-sdk/preact'
import { useMemo, useState } from 'preact/hooks'
import type { Texts } from '../texts/en.ts'

/** The payment methods of the order, the chosen one, and the input for it. */
export interface Methods {
  types: readonly PaymentMethodType[]
  /** The buyer's choice; the first method until there is one. */
  chosen: PaymentMethodType
  choose(type: PaymentMethodType): void
  debit: TypedDebit
  problems: Partial<Record<keyof TypedDebit, DebitFault>>
  typeDebit(part: Partial<TypedDebit>): void
  /** Validates the input of the method. @returns Whether it is valid; if not, `problems` has the errors. */
  check(): boolean
  /** Pays with the chosen method. If the order is being paid already, continues that payment and does not pay twice. */
  pay(): Promise<PayOutcome>
}

/** The methods of the checkout. Of a debit nothing is kept outside of this page. */
export function useMethods(): Methods {
  const page = usePage()
  const types = useStore(useMemo(() => openMethods(page), [page]))
  const [wanted, setWanted] = useState<PaymentMethodType | null>(null)
  const [debit, setDebit] = useState<TypedDebit>({ iban: '', holderName: '', mandateAccepted: false })
  const [problems, setProblems] = useState<Methods['problems']>({})
  // A buyer who returns unpaid from a method's page finds that method still chosen.
  const before = page.session.get().view?.payment?.paymentMethod.type
  const chosen = types.find((type) => type === (wanted ?? before)) ?? types[0] ?? 'card'
  return {
    types,
    chosen,
    choose: setWanted,
    debit,
    problems,
    typeDebit(part) {
      setDebit((typed) => ({ ...typed, ...part })) // a password manager fills in several at once
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

/** The display name of a method. Brands have the same name in every language. */
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
