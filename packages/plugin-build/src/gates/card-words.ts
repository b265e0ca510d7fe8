/** Cards that nobody pays with by their number alone. */
const otherCards = 'gift|loyalty|member|membership|club|bonus|discount|voucher|sim|id|identity|library|insurance|health'

const numberName = new RegExp(
  `(?<!${otherCards})(?:card|^cc|creditcard|debitcard)(?:number|num|no|nr)$|^(?:credit|debit)card$|^pan$`,
)
const codeName =
  /(?:^|card|cc)(?:cvc|cvv|csc)2?(?:code|number)?$|^securitycode$|card(?:securitycode|verification(?:code|value|number))$/

/** Whether a field of this name or id is one for a card's number or security code: `cardNumber`, `payment[card_cvc]`. */
export function isCardFieldName(name: string): boolean {
  const compact = name.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '')
  return numberName.test(compact) || codeName.test(compact)
}

const numberText = new RegExp(
  [
    `(?<!(?:${otherCards}) )\\bcard (?:number|no\\b)`,
    'kartennummer|numéro de (?:la )?carte|n[úu]mero de (?:la )?tarjeta|n[úu]mero do cart[ãa]o|numero (?:della )?carta',
    'kaartnummer|kortnummer|numer karty|номер карты|カード番号|卡号|卡號',
  ].join('|'),
  'i',
)
const codeText = /\b(?:CVC|CVV|CSC)2?\b|\bcard (?:security|verification) code\b|kartenprüf/i
/** As `1234 1234 1234 1234` or `•••• •••• •••• ••••` stand in an empty field. */
const numberShape = /^(?:\d{4}|([0xX•*#_·])\1{3})(?:[ -]?(?:\d{4}|([0xX•*#_·])\2{3})){3}$/

/** Whether a text asks for a card's number or security code, in one of some ten languages. */
export function asksForCard(text: string): boolean {
  return numberText.test(text) || codeText.test(text) || numberShape.test(text.trim())
}

/** Whether a label says no more than that: `Card number *`. */
export function isCardLabel(text: string): boolean {
  let end = text.length
  while (end > 0 && /[\s:*]/.test(text.charAt(end - 1))) end -= 1 // a pattern with `+$` would try every beginning
  const words = text.slice(0, end).trim()
  return words.length <= CARD_LABEL_MAX_CHARS && asksForCard(words)
}

/** `Credit card number`, `Numéro de la carte`; a sentence about cards is longer. */
const CARD_LABEL_MAX_CHARS = 20

/** Whether a browser is asked to fill a card in. Source: HTML, "Autofill detail tokens". */
export function isCardAutofill(autocomplete: string): boolean {
  return /(?:^|\s)cc-[a-z]/i.test(autocomplete)
}
