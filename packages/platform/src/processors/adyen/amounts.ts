import { writtenAmounts } from '../minor-units.ts'

/** Source: Adyen, "Currency codes". */
const amounts = writtenAmounts({ twoDecimals: ['CLP', 'ISK'], noDecimals: ['CVE', 'IDR'] })

/** An amount as Adyen has it. */
export interface AdyenAmount {
  value: number
  currency: string
}

/** An amount as Adyen writes it, from the minor unit of ISO 4217; `null` where it has no way to write it. */
export function adyenAmount(amount: number, currency: string): AdyenAmount | null {
  const value = amounts.write(amount, currency)
  return value === null ? null : { value, currency }
}

/** An amount of Adyen's in the minor unit of ISO 4217: the way back. */
export function minorAmount({ value, currency }: AdyenAmount): number {
  return amounts.read(value, currency)
}
