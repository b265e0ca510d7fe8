import { z } from 'zod'
import { currencyExponent } from './currencies.ts'
import { CURRENCY_LIST_MAX_CHARS } from './limits.ts'

/** An amount in the currency's minor unit: a whole number from 0 to 2^53 - 1. 1999 in USD is 19.99. */
export const amount = z
  .custom<number>((value) => Number.isSafeInteger(value) && Number(value) >= 0, {
    error: 'must be a whole number of minor units from 0 to 9007199254740991 (19.99 USD is 1999)',
    params: { code: 'amount_invalid' },
  })
  .meta({
    type: 'integer',
    minimum: 0,
    maximum: Number.MAX_SAFE_INTEGER,
    description: 'In minor units of its currency.',
    examples: [1999],
  })

/** An amount of at least one minor unit. */
export const positiveAmount = amount
  .refine((value) => value !== 0, { error: 'must be more than 0', params: { code: 'amount_invalid' } })
  .meta({ minimum: 1 })

/** An upper-case ISO 4217 currency code. */
export const currency = z
  .string()
  .refine((code) => currencyExponent(code) !== null, {
    error: 'must be an upper-case ISO 4217 code in use today, such as "USD"',
    params: { code: 'currency_unsupported' },
  })
  .meta({ pattern: '^[A-Z]{3}$', description: 'Upper-case ISO 4217 code.', examples: ['USD'] })

/** One currency code, or several separated by commas; returned as sent. */
export const currencyList = z
  .string()
  .max(CURRENCY_LIST_MAX_CHARS)
  .refine((list) => list.split(',').every((code) => currencyExponent(code.trim()) !== null), {
    error: 'must be one or more upper-case ISO 4217 codes separated by commas, such as "USD,EUR"',
    params: { code: 'currency_unsupported' },
  })
  .meta({ pattern: String.raw`^\s*[A-Z]{3}\s*(,\s*[A-Z]{3}\s*)*$`, examples: ['USD,EUR'] })
