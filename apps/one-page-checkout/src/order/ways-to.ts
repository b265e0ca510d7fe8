import type { ShippingWay } from './lines.ts'

/** The ways of shipping that lead to a country. */
export function waysTo(country: string, ways: readonly ShippingWay[]): ShippingWay[] {
  return ways.filter(({ countries = [] }) => countries.length === 0 || countries.includes(country))
}
