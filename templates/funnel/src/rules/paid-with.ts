import type { OtherMethod, PaymentMethodType, Translation } from '@tillwright/plugin-sdk'
import { checkDebit, debitMethod, type TypedDebit } from '@tillwright/plugin-sdk/methods'
import { texts } from '../texts.ts'

/** Error messages by field of a SEPA debit. Valid fields are absent. */
export type DebitProblems = Partial<Record<keyof TypedDebit, Translation>>

/** Reads what was typed for a debit. */
export function debitOf(form: FormData): TypedDebit {
  const read = (name: keyof TypedDebit) => (form.get(name) as string | null) ?? '' // no field is for files
  return { iban: read('iban'), holderName: read('holderName'), mandateAccepted: form.has('mandateAccepted') }
}

/** Validates a debit as the platform does. */
export function debitProblems(debit: TypedDebit): DebitProblems {
  const { iban, holderName, mandateAccepted } = checkDebit(debit)
  return {
    ...(iban && { iban: iban === 'missing' ? texts.ibanMissing : texts.ibanWrong }),
    ...(holderName && { holderName: texts.nameMissing }),
    ...(mandateAccepted && { mandateAccepted: texts.mandateMissing }),
  }
}

/** The argument of `pay.withMethod()`; `null` for a card, which the card form pays with. */
export function methodOf(type: PaymentMethodType, debit: TypedDebit): OtherMethod | null {
  if (type === 'card') return null
  return type === 'sepa_debit' ? debitMethod(debit) : { type }
}
