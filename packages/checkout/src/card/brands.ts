/** A card brand that the form recognises from the first digits. */
export type BrandName = 'visa' | 'mastercard' | 'amex' | 'discover' | 'diners' | 'jcb' | 'unionpay' | 'maestro'

/** What is known about the cards of one brand. */
export interface Brand {
  name: BrandName | 'unknown'
  /** How many digits a number may have. */
  lengths: readonly number[]
  /** How many digits a security code may have. */
  cvcLengths: readonly number[]
  /** Digits before which a space stands, as they are embossed: `[4, 10]` is `3782 822463 10005`. */
  breaks: readonly number[]
  /** Whether the last digit is a check digit on every card of the brand. */
  luhn: boolean
}

/** Every brand's name, the fallback included: the closed list that may cross the wire. */
export const brandNames: readonly Brand['name'][] = [
  'visa',
  'mastercard',
  'amex',
  'discover',
  'diners',
  'jcb',
  'unionpay',
  'maestro',
  'unknown',
]

const fours = [4, 8, 12, 16]
const from12To19 = [12, 13, 14, 15, 16, 17, 18, 19]
const from16To19 = [16, 17, 18, 19]

// First digits as [low, high]; the longest range that holds the number names the brand. Sources: the networks' own
// number range guides. 622126-622925 is accepted on Discover's network too, but such a card shows UnionPay.
const rules: readonly { brand: Brand; ranges: readonly (readonly [low: string, high: string])[] }[] = [
  {
    brand: { name: 'visa', lengths: [13, 16, 19], cvcLengths: [3], breaks: fours, luhn: true },
    ranges: [['4', '4']],
  },
  {
    brand: { name: 'mastercard', lengths: [16], cvcLengths: [3], breaks: fours, luhn: true },
    ranges: [
      ['51', '55'],
      ['2221', '2720'],
    ],
  },
  {
    brand: { name: 'amex', lengths: [15], cvcLengths: [4], breaks: [4, 10], luhn: true },
    ranges: [
      ['34', '34'],
      ['37', '37'],
    ],
  },
  {
    brand: { name: 'discover', lengths: from16To19, cvcLengths: [3], breaks: fours, luhn: true },
    ranges: [
      ['6011', '6011'],
      ['644', '649'],
      ['65', '65'],
    ],
  },
  {
    brand: { name: 'diners', lengths: [14, 15, 16, 17, 18, 19], cvcLengths: [3], breaks: [4, 10], luhn: true },
    ranges: [
      ['300', '305'],
      ['3095', '3095'],
      ['36', '36'],
      ['38', '39'],
    ],
  },
  {
    brand: { name: 'jcb', lengths: from16To19, cvcLengths: [3], breaks: fours, luhn: true },
    ranges: [['3528', '3589']],
  },
  {
    // UnionPay has issued cards without a check digit.
    brand: { name: 'unionpay', lengths: from16To19, cvcLengths: [3], breaks: fours, luhn: false },
    ranges: [
      ['62', '62'],
      ['8100', '8171'],
    ],
  },
  {
    brand: { name: 'maestro', lengths: from12To19, cvcLengths: [3], breaks: fours, luhn: true },
    ranges: [
      ['50', '50'],
      ['56', '58'],
      ['6304', '6304'],
      ['639', '639'],
      ['67', '67'],
    ],
  },
]

const unknownBrand: Brand = { name: 'unknown', lengths: from12To19, cvcLengths: [3, 4], breaks: fours, luhn: true }

/**
 * Names the brand of a number, as soon as enough digits are there to be sure.
 *
 * @param digits The number so far, digits only.
 * @returns The brand `unknown`, with the widest rules, while the digits fit none or are too few.
 */
export function brandOf(digits: string): Brand {
  let found = { brand: unknownBrand, length: 0 }
  for (const { brand, ranges } of rules) {
    for (const [low, high] of ranges) {
      const prefix = digits.slice(0, low.length)
      // Strings of one length compare like the numbers they spell.
      const inRange = prefix.length === low.length && prefix >= low && prefix <= high
      if (inRange && low.length > found.length) found = { brand, length: low.length }
    }
  }
  return found.brand
}
