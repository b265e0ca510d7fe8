import { brandOf, brandRules, type Brand } from './brand.ts'
import { passesLuhn } from '@tillwright/contract/card-rules'

/** Digits, alone or in groups parted by single spaces or hyphens, that stand by themselves. */
const digitRuns = /(?<![\w.])\d(?:[ -]?\d){11,18}(?![\w])/g

const overlooked: readonly Brand[] = ['unknown', 'uatp']

/**
 * Whether a text holds what looks like a card number: digits with the prefix, the length and the check digit of a known
 * network. About one in ten numbers with such a prefix and length passes by chance; a text without them never does.
 *
 * Brands without a check digit are not looked for: every number of their range would be refused. Nor is UATP, whose
 * numbers look like a time and a counter behind it, as shops number their orders: `1795195406-12342`.
 */
export function findsCardNumber(text: string): boolean {
  for (const [run] of text.matchAll(digitRuns)) {
    const number = run.replaceAll(/[ -]/g, '')
    const brand = brandOf(number)
    const { numberLengths, checkDigit } = brandRules[brand]
    if (!overlooked.includes(brand) && checkDigit && numberLengths.includes(number.length) && passesLuhn(number))
      return true
  }
  return false
}
