import { expect, test } from 'vitest'
import { amount, currency, currencyList } from './money.ts'

test.for([0, 1, 1_999, 2 ** 53 - 1])('%d minor units are a valid amount', (value) => {
  expect(amount.parse(value)).toBe(value)
})

test.for([-1, 0.5, 19.99, 2 ** 53, 1e300, Infinity, NaN, '1999', null, true, [1], 1n])(
  '%s is not an amount',
  (value) => {
    const [issue] = amount.safeParse(value).error?.issues ?? []
    expect(issue).toMatchObject({ code: 'custom', params: { code: 'amount_invalid' } })
  },
)

test.for(['usd', 'ABC', 'USD ', ''])('%j is refused as an unsupported currency', (value) => {
  const [issue] = currency.safeParse(value).error?.issues ?? []
  expect(issue).toMatchObject({ params: { code: 'currency_unsupported' } })
})

test.for(['USD', 'USD,EUR', 'USD, EUR ,JPY'])('the currency list %j is returned as it was sent', (value) => {
  expect(currencyList.parse(value)).toBe(value)
})

test.for(['', 'USD,', ',', 'USD;EUR', 'USD,eur'])('%j is not a currency list', (value) => {
  expect(currencyList.safeParse(value).success).toBe(false)
})
