import { expect, test } from 'vitest'
import { sharedPlatform } from '../../../platform/test/test-platform.ts'
import { contract } from '@tillwright/contract'
import { localPage } from '../../test/local-page.ts'
import { openMethods } from './open-methods.ts'

const platform = sharedPlatform()

test('what can be paid with follows the order: its currency, whether a price of it recurs, and whether it costs anything', async () => {
  const { local, call } = platform()
  const currencyOptions = { EUR: { amount: 800 }, USD: { amount: 900 } }
  const variants = [
    { name: 'White', prices: [{ currencyOptions }] },
    { name: 'Sample', prices: [{ currencyOptions: { EUR: { amount: 0 } } }] },
    { name: 'Every month', prices: [{ currencyOptions, recurring: true, interval: 'month' as const }] },
  ]
  const body = { storeId: local.storeId, name: 'Mug', variants }
  const { productId } = await call(contract.products.create, { body })
  const product = await call(contract.products.get, { params: { productId } })
  const [white = '', sample = '', monthly = ''] = product.variants.map(({ id }) => id)

  let asked = 0
  const page = localPage(platform(), {
    fetch: (url, init) => {
      asked += Number(url.endsWith('/payment-methods'))
      return fetch(url, init)
    },
  })
  const methods = openMethods(page)
  await page.session.ready()
  expect(methods.get()).toEqual(['card'])
  expect(asked).toBe(0) // there is nothing to pay yet
  await page.order.setLines([{ variantId: white }], 'EUR')
  await expect.poll(methods.get).toEqual(['card', 'sepa_debit', 'voucher'])
  await page.order.setLines([{ variantId: white, quantity: 2 }], 'EUR')
  await page.session.refresh()
  expect(asked).toBe(1)
  await page.order.setLines([{ variantId: monthly }], 'EUR')
  await expect.poll(methods.get).toEqual(['card'])
  await page.order.setLines([{ variantId: sample }], 'EUR')
  await expect.poll(methods.get).toEqual(['none'])
  await page.order.setLines([{ variantId: white }], 'USD')
  await expect.poll(() => asked).toBe(4)
  await expect.poll(methods.get).toEqual(['card'])
})
