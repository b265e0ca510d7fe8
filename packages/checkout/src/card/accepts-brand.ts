import { type BrandName, type NetworkName, networksOf } from '@tillwright/contract/networks'

/** The brands that a shop accepts. Defaults to all. */
export interface BrandFilter {
  /** If given, only these; an unknown brand is then refused. */
  allowed?: readonly NetworkName[]
  /** These are refused, even if `allowed` names them. */
  blocked?: readonly NetworkName[]
}

/** Whether a shop takes cards of a brand. */
export function acceptsBrand(brand: BrandName, { allowed, blocked }: BrandFilter): boolean {
  const isBrand = (name: NetworkName): boolean => name === brand
  return (allowed?.some(isBrand) ?? true) && !blocked?.some(isBrand)
}

/** Networks of the European Economic Area whose cards carry an international one besides. */
const europeanNetworks: readonly NetworkName[] = ['cartes_bancaires', 'bancontact']

/**
 * The networks that a number may be paid over in a shop.
 *
 * @param digits The number so far, digits only.
 * @returns The one to show first first; empty while the digits fit none that the shop takes.
 */
export function takenNetworks(digits: string, filter: BrandFilter): readonly NetworkName[] {
  return networksOf(digits).filter((network) => acceptsBrand(network, filter))
}

/**
 * The networks between which a buyer is to be given the choice. A European co-badged card pays over the network that
 * its holder picks, and the shop's preference is only the default. Source: Regulation (EU) 2015/751, article 8(6).
 * Elsewhere a second network is only the one that carries the card abroad, and the buyer is not asked.
 *
 * @param taken The result of `takenNetworks()` for the number.
 * @returns The default first, and at least two; empty where there is nothing to choose.
 */
export function networkChoices(taken: readonly NetworkName[]): readonly NetworkName[] {
  const isEuropean = taken.some((network) => europeanNetworks.includes(network))
  return isEuropean && taken.length > 1 ? taken : []
}
