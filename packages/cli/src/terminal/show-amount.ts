import { currencyExponent } from '@tillwright/contract'

/**
 * An amount for people, in the currency's major unit: 2,400 minor units of USD are `24.00`, of JPY `2400`. In digits and a
 * point whatever the locale, so that columns and scripts can rely on it.
 */
export function showAmount(minor: number, currency: string): string {
  const exponent = currencyExponent(currency) ?? 0
  const digits = String(Math.abs(minor)).padStart(exponent + 1, '0')
  const point = digits.length - exponent
  const text = exponent === 0 ? digits : `${digits.slice(0, point)}.${digits.slice(point)}`
  return minor < 0 ? `-${text}` : text
}
