import type { Brand } from '../card/brands.ts'
import type { DigitFieldName, FieldErrorCode, FieldName } from '../card/check-card.ts'

/** The form's texts in one language. `{n}` stands for `digitCount()`. */
export interface Texts {
  /** The language as a BCP 47 tag: `en`, `pt-BR`, `zh-Hant`. */
  locale: string
  /** The frame's title, for screen readers. */
  title: string
  labels: Record<FieldName, string>
  placeholders: Record<DigitFieldName, string>
  required: Record<FieldName, string>
  incomplete: Record<DigitFieldName, string>
  invalid: Record<FieldName, string>
  expired: string
  networkFailed: string
  tokenizeRejected: string
  unsupported: string
  /** The label of the choice between a card's networks. */
  network: string
  /** The label of a customer's saved cards, and the option to type another one. */
  savedCards: string
  anotherCard: string
}

/**
 * English, the one language that the form has with it. The order of its texts is the order in the files of all others.
 */
export const en: Texts = {
  locale: 'en',
  title: 'Card details',
  labels: { number: 'Card number', expiry: 'Expiry date', cvc: 'Security code', name: 'Name on card' },
  placeholders: { number: '1234 1234 1234 1234', expiry: 'MM / YY', cvc: '{n} digits' },
  required: {
    number: 'Enter the card number.',
    expiry: 'Enter the expiry date.',
    cvc: 'Enter the security code.',
    name: 'Enter the name on the card.',
  },
  incomplete: {
    number: 'This card number is too short.',
    expiry: 'Enter month and year, like 04\u00a0/\u00a030.',
    cvc: 'The code has {n} digits.',
  },
  invalid: {
    number: 'This is not a card number. Check the digits.',
    expiry: 'There is no such month or year.',
    cvc: 'The code has {n} digits.',
    name: 'Enter the name as it stands on the card.',
  },
  expired: 'This card has expired.',
  networkFailed: 'The connection failed. Try again.',
  tokenizeRejected: 'The card could not be checked. Try again.',
  unsupported: 'This shop does not take this card. Use another one.',
  network: 'Card network',
  savedCards: 'Saved cards',
  anotherCard: 'Another card',
}

/** An error of a field. */
export interface FieldError {
  field: FieldName
  code: FieldErrorCode
}

/** The message for an error of a field. */
export function errorText(texts: Texts, { field, code }: FieldError, brand: Brand): string {
  // These two belong to one field each.
  if (code === 'expired' || code === 'unsupported') return texts[code]
  const words: Partial<Record<FieldName, string>> = texts[code]
  return (words[field] ?? '').replace('{n}', digitCount(brand))
}

/** The placeholder of the security code: its length, and the brand's name for it. */
export function codeHint(texts: Texts, brand: Brand): string {
  return `${texts.placeholders.cvc.replace('{n}', digitCount(brand))} (${brand.cvcName})`
}

/** How many digits a brand's security code has, as people write it: `3`, or `3–4` while the brand is unknown. */
export function digitCount({ cvcLengths }: Brand): string {
  return cvcLengths.join('–')
}
