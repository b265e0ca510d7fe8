import { currencyExponent } from '@tillwright/contract'

/** Source: PayPal, "Currency codes". */
export const paypalCurrencies = [
  'AUD',
  'BRL',
  'CAD',
  'CHF',
  'CNY',
  'CZK',
  'DKK',
  'EUR',
  'GBP',
  'HKD',
  'HUF',
  'ILS',
  'JPY',
  'MXN',
  'MYR',
  'NOK',
  'NZD',
  'PHP',
  'PLN',
  'SEK',
  'SGD',
  'THB',
  'TWD',
  'USD',
] as const

/** PayPal takes no decimals in these, though ISO 4217 gives two of them some. Source: the same. */
const WITHOUT_DECIMALS: ReadonlySet<string> = new Set(['HUF', 'JPY', 'TWD'])

/** An amount as PayPal writes it. */
export interface PayPalMoney {
  currencyCode: string
  value: string
}

/**
 * An amount as PayPal writes it.
 *
 * @param amount In the minor unit of ISO 4217.
 * @returns `null` where PayPal has no way to write it, or does not take the currency.
 */
export function paypalMoney(amount: number, currencyCode: string): PayPalMoney | null {
  if (!paypalCurrencies.some((each) => each === currencyCode)) return null
  const exponent = currencyExponent(currencyCode) ?? 0
  const unit = 10 ** exponent
  if (!WITHOUT_DECIMALS.has(currencyCode)) return { currencyCode, value: decimal(amount, exponent) }
  return amount % unit === 0 ? { currencyCode, value: String(amount / unit) } : null
}

function decimal(amount: number, exponent: number): string {
  const digits = String(amount).padStart(exponent + 1, '0')
  return exponent === 0 ? digits : `${digits.slice(0, -exponent)}.${digits.slice(-exponent)}`
}

/** An amount of PayPal's in the minor unit of ISO 4217: the way back. */
export function minorAmount({ currencyCode, value }: PayPalMoney): number {
  const [whole = '0', decimals = ''] = value.split('.')
  const exponent = currencyExponent(currencyCode) ?? 0
  return Number(whole) * 10 ** exponent + Number(decimals.slice(0, exponent).padEnd(exponent, '0'))
}
