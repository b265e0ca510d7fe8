import type { BrandName, NetworkName } from '@tillwright/contract/networks'

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
