import type { OtherMethod } from '../api.ts'

/** Input for a SEPA debit, as the buyer has typed it. */
export interface TypedDebit {
  iban: string
  holderName: string
  /** Whether the buyer has agreed to the mandate that the page shows. */
  mandateAccepted: boolean
}

/**
 * Validation error of a field of a debit.
 * - `missing`: it is empty, or the box is not ticked.
 * - `form`: it does not look like an IBAN (ISO 13616).
 * - `check_digits`: a character of the IBAN is wrong, or two are swapped (ISO 7064, MOD 97-10).
 */
export type DebitFault = 'missing' | 'form' | 'check_digits'

/** Validates each field by the platform's own rules; a valid one has no entry. */
export function checkDebit({
  iban,
  holderName,
  mandateAccepted,
}: TypedDebit): Partial<Record<keyof TypedDebit, DebitFault>> {
  const fault = iban.trim() === '' ? 'missing' : faultOf(plain(iban))
  return {
    ...(fault !== null && { iban: fault }),
    ...(holderName.trim() === '' && { holderName: 'missing' }),
    ...(!mandateAccepted && { mandateAccepted: 'missing' }),
  }
}

/** Converts valid input into the argument of `pay.withMethod()`. */
export function debitMethod({ iban, holderName }: TypedDebit): OtherMethod {
  return { type: 'sepa_debit', iban: plain(iban), holderName: holderName.trim(), mandateAccepted: true }
}

/** An IBAN in groups of four, as it stands on a bank's card. */
export function groupedIban(iban: string): string {
  return plain(iban).replaceAll(/.{4}(?=.)/g, '$& ')
}

function plain(iban: string): string {
  return iban.replaceAll(/\s/g, '').toUpperCase()
}

/** The rule of `@tillwright/contract/iban`, of which a page has only the types. */
function faultOf(iban: string): 'form' | 'check_digits' | null {
  if (!/^[A-Z]{2}\d{2}[A-Z\d]{11,30}$/.test(iban)) return 'form'
  let rest = 0
  for (const each of iban.slice(4) + iban.slice(0, 4)) {
    const value = Number.parseInt(each, 36)
    rest = (rest * (value > 9 ? 100 : 10) + value) % 97
  }
  return rest === 1 ? null : 'check_digits'
}
