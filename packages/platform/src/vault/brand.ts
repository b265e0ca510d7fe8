import { brandNames, networksOf, rulesOf, unknownRules, type BrandName } from '@tillwright/contract/networks'

/** A card's network, as far as its number tells. */
export type Brand = BrandName

/**
 * Names the network of a card number; of a co-badged card's, the one that is shown first.
 *
 * @param number Digits only; the first eight are enough.
 * @returns `unknown` when the number lies in no range of the table.
 */
export function brandOf(number: string): Brand {
  return networksOf(number)[0] ?? 'unknown'
}

/** What holds for every card of a brand. */
export interface BrandRules {
  /** How many digits a number may have. */
  numberLengths: readonly number[]
  /** How many digits a security code may have; `[0]` where payments go without one. */
  cvcLengths: readonly number[]
  /** Whether the last digit of the number is a check digit. */
  checkDigit: boolean
}

/** The rules of each brand. */
// Its keys are those of the list of brands.
export const brandRules = Object.fromEntries(brandNames.map((brand) => [brand, readRules(brand)])) as Readonly<
  Record<Brand, BrandRules>
>

function readRules(brand: Brand): BrandRules {
  const { lengths, cvcLengths, luhn } = brand === 'unknown' ? unknownRules : rulesOf(brand)
  return { numberLengths: lengths, cvcLengths, checkDigit: luhn }
}
