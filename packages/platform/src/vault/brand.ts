/** A card's network, as far as its number tells. */
export type Brand = 'visa' | 'mastercard' | 'amex' | 'discover' | 'diners' | 'jcb' | 'unionpay' | 'maestro' | 'unknown'

/**
 * Names the network of a card number.
 *
 * @param number Digits only; the first six are enough.
 * @returns `unknown` when the number lies in no range of the table.
 */
export function brandOf(number: string): Brand {
  const found = ranges.find(({ low, high }) => {
    const prefix = number.slice(0, low.length)
    // Strings of one length compare like the numbers they spell.
    return prefix.length === low.length && prefix >= low && prefix <= high
  })
  return found?.brand ?? 'unknown'
}

/** What holds for every card of a brand. */
export interface BrandRules {
  /** How many digits a number may have. */
  numberLengths: readonly number[]
  /** How many digits a security code may have. */
  cvcLengths: readonly number[]
  /** Whether the last digit of the number is a check digit. */
  checkDigit: boolean
}

const from12To19 = [12, 13, 14, 15, 16, 17, 18, 19]
const from16To19 = [16, 17, 18, 19]

/** The rules of each brand. Source: the networks' own; UnionPay has issued cards without a check digit. */
export const brandRules: Readonly<Record<Brand, BrandRules>> = {
  visa: { numberLengths: [13, 16, 19], cvcLengths: [3], checkDigit: true },
  mastercard: { numberLengths: [16], cvcLengths: [3], checkDigit: true },
  amex: { numberLengths: [15], cvcLengths: [4], checkDigit: true },
  discover: { numberLengths: from16To19, cvcLengths: [3], checkDigit: true },
  diners: { numberLengths: [14, 15, ...from16To19], cvcLengths: [3], checkDigit: true },
  jcb: { numberLengths: from16To19, cvcLengths: [3], checkDigit: true },
  unionpay: { numberLengths: from16To19, cvcLengths: [3], checkDigit: false },
  maestro: { numberLengths: from12To19, cvcLengths: [3], checkDigit: true },
  unknown: { numberLengths: from12To19, cvcLengths: [3, 4], checkDigit: true },
}

/**
 * First digits, both ends included, and no two ranges overlap. Source: the networks' number range guides. 622126 to
 * 622925 is taken on Discover's network too, but such a card shows UnionPay.
 */
const ranges: readonly { brand: Brand; low: string; high: string }[] = [
  { brand: 'visa', low: '4', high: '4' },
  { brand: 'mastercard', low: '51', high: '55' },
  { brand: 'mastercard', low: '2221', high: '2720' },
  { brand: 'amex', low: '34', high: '34' },
  { brand: 'amex', low: '37', high: '37' },
  { brand: 'discover', low: '6011', high: '6011' },
  { brand: 'discover', low: '644', high: '649' },
  { brand: 'discover', low: '65', high: '65' },
  { brand: 'diners', low: '300', high: '305' },
  { brand: 'diners', low: '3095', high: '3095' },
  { brand: 'diners', low: '36', high: '36' },
  { brand: 'diners', low: '38', high: '39' },
  { brand: 'jcb', low: '3528', high: '3589' },
  { brand: 'unionpay', low: '62', high: '62' },
  { brand: 'unionpay', low: '8100', high: '8171' },
  { brand: 'maestro', low: '50', high: '50' },
  { brand: 'maestro', low: '56', high: '58' },
  { brand: 'maestro', low: '6304', high: '6304' },
  { brand: 'maestro', low: '639', high: '639' },
  { brand: 'maestro', low: '67', high: '67' },
]
