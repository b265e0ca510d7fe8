import { acceptsBrand, type BrandFilter } from './accepts-brand.ts'
import { networksOf, rulesOf, unknownRules, type BrandName, type NetworkRules } from './networks.ts'

/** What is known about the cards of one brand. */
export interface Brand extends NetworkRules {
  name: BrandName
}

/**
 * Names the brand of a number, as soon as enough digits are there to be sure.
 *
 * @param digits The number so far, digits only.
 * @param filter The brands that the shop takes: of a co-badged card's networks the first that is taken is shown.
 * @returns The brand `unknown`, with the widest rules, while the digits fit none or are too few.
 */
export function brandOf(digits: string, filter: BrandFilter = {}): Brand {
  const networks = networksOf(digits)
  const name = networks.find((network) => acceptsBrand(network, filter)) ?? networks[0]
  return name ? { name, ...rulesOf(name) } : { name: 'unknown', ...unknownRules }
}
