import type { Brand } from '../card/brands.ts'
import type { FieldErrorCode, FieldName } from '../card/check-card.ts'

/** Everything that the form says in one language. `{n}` stands for `digitCount()`. */
export interface Texts {
  locale: string
  labels: Record<FieldName, string>
  placeholders: Record<FieldName, string>
  required: Record<FieldName, string>
  incomplete: Record<FieldName, string>
  invalid: Record<FieldName, string>
  expired: string
  networkFailed: string
  tokenizeRejected: string
  unsupported: string
}

const en: Texts = {
  locale: 'en',
  labels: { number: 'Card number', expiry: 'Expiry date', cvc: 'Security code' },
  placeholders: { number: '1234 1234 1234 1234', expiry: 'MM / YY', cvc: '{n} digits' },
  required: {
    number: 'Enter the card number.',
    expiry: 'Enter the expiry date.',
    cvc: 'Enter the security code.',
  },
  incomplete: {
    number: 'This card number is too short.',
    expiry: 'Enter month and year, like 04 / 30.',
    cvc: 'The code has {n} digits.',
  },
  invalid: {
    number: 'This is not a card number. Check the digits.',
    expiry: 'There is no such month or year.',
    cvc: 'The code has {n} digits.',
  },
  expired: 'This card has expired.',
  networkFailed: 'The connection failed. Try again.',
  tokenizeRejected: 'The card could not be checked. Try again.',
  unsupported: 'This brand of card is not accepted here. Use another card.',
}

const de: Texts = {
  locale: 'de',
  labels: { number: 'Kartennummer', expiry: 'Gültig bis', cvc: 'Prüfnummer' },
  placeholders: { number: '1234 1234 1234 1234', expiry: 'MM / JJ', cvc: '{n} Ziffern' },
  required: {
    number: 'Geben Sie die Kartennummer ein.',
    expiry: 'Geben Sie das Ablaufdatum ein.',
    cvc: 'Geben Sie die Prüfnummer ein.',
  },
  incomplete: {
    number: 'Diese Kartennummer ist zu kurz.',
    expiry: 'Geben Sie Monat und Jahr ein, etwa 04 / 30.',
    cvc: 'Die Prüfnummer hat {n} Ziffern.',
  },
  invalid: {
    number: 'Das ist keine Kartennummer. Prüfen Sie die Ziffern.',
    expiry: 'Diesen Monat oder dieses Jahr gibt es nicht.',
    cvc: 'Die Prüfnummer hat {n} Ziffern.',
  },
  expired: 'Diese Karte ist abgelaufen.',
  networkFailed: 'Die Verbindung ist fehlgeschlagen. Versuchen Sie es noch einmal.',
  tokenizeRejected: 'Die Karte konnte nicht geprüft werden. Versuchen Sie es noch einmal.',
  unsupported: 'Karten dieser Marke werden hier nicht angenommen. Nehmen Sie eine andere.',
}

const languages: Readonly<Record<string, Texts>> = { en, de }

/**
 * The form's texts in the language of a locale.
 *
 * @param locale A BCP 47 tag, `de` or `de-AT`; for a language that the form does not speak the texts are English.
 */
export function textsFor(locale: string): Texts {
  const language = locale.toLowerCase().split('-', 1)[0] ?? ''
  return Object.hasOwn(languages, language) ? (languages[language] ?? en) : en
}

/** What is wrong with which field. */
export interface FieldError {
  field: FieldName
  code: FieldErrorCode
}

/** What the form says about an error in a field. */
export function errorText(texts: Texts, { field, code }: FieldError, brand: Brand): string {
  // These two belong to one field each.
  if (code === 'expired' || code === 'unsupported') return texts[code]
  return texts[code][field].replace('{n}', digitCount(brand))
}

/** How many digits a brand's security code has, as people write it: `3`, or `3–4` while the brand is unknown. */
export function digitCount({ cvcLengths }: Brand): string {
  return cvcLengths.join('–')
}
