import { acceptsBrand, type BrandFilter } from './accepts-brand.ts'
import { networksOf, rulesOf, unknownRules, type BrandName, type NetworkRules } from '@tillwright/contract/networks'

/** Rules for the cards of one brand. */
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
  const [first] = networks
  if (!first) return brandNamed('unknown')
  const name = networks.find((network) => acceptsBrand(network, filter)) ?? first
  // The first network has issued the number; only the code is a matter of the one that the payment goes over.
  const { cvcLengths, cvcName } = rulesOf(name)
  return { ...rulesOf(first), name, cvcLengths, cvcName }
}

/** The brand of a network, or the one of a card that no network claims. */
export function brandNamed(name: BrandName): Brand {
  return { ...(name === 'unknown' ? unknownRules : rulesOf(name)), name }
}

/** Whether payments of a brand take a security code. */
export function takesCvc({ cvcLengths }: Brand): boolean {
  return !cvcLengths.includes(0)
}
