import { expect, test } from 'vitest'
import { sharedPlatform } from '../../platform/test/test-platform.ts'
import { firstVariant, localPage } from '../test/local-page.ts'

const platform = sharedPlatform()

test('lines added to the order are priced by the platform', async () => {
  const page = localPage(platform())
  const variantId = await firstVariant(platform())
  const { order } = await page.order.setLines([{ variantId, quantity: 2 }], 'USD')
  expect(order).toMatchObject({ currency: 'USD', status: 'open', lines: [{ variantId, quantity: 2 }] })
  expect(page.order.get()).toBe(order)
  expect(order.amount).toBe(2 * (order.lines[0]?.unitAmount ?? 0))
})

test("goods are shipped with the chosen option, at the store's price", async () => {
  const page = localPage(platform())
  const { order } = await page.order.setLines([{ variantId: await firstVariant(platform()) }])
  const express = order.shipping?.options.find(({ name }) => name === 'Express')
  expect(order.shipping?.optionId).toBe(order.shipping?.options[0]?.id)
  const { order: sent } = await page.order.chooseShipping(express?.id ?? '')
  expect(sent.shipping?.optionId).toBe(express?.id)
  expect(sent.amount).toBe(order.amount + (express?.amount ?? Number.NaN))
  await expect(page.order.chooseShipping('none')).rejects.toMatchObject({ param: 'shippingOptionId' })
})

test('lines that change in quick succession are sent together, and no change is lost', async () => {
  let puts = 0
  const page = localPage(platform(), {
    fetch: (url, init) => {
      if (init.method === 'PUT') puts += 1
      return fetch(url, init)
    },
  })
  await page.session.ready()
  const variantId = await firstVariant(platform())
  const views = await Promise.all([
    page.order.add({ variantId }),
    page.order.add({ variantId, quantity: 2 }),
    page.order.setQuantity({ variantId }, 5),
    page.order.add({ variantId }),
  ])
  expect(puts).toBe(1)
  expect(views.map(({ order }) => order.lines[0]?.quantity)).toEqual([6, 6, 6, 6])
  expect((await page.order.remove({ variantId })).order.lines).toEqual([])
})

test('a change is applied to what another tab has changed meanwhile', async () => {
  const storage = new Map<string, string>()
  const page = localPage(platform(), { storage })
  const variantId = await firstVariant(platform())
  await page.order.add({ variantId })
  await localPage(platform(), { storage: new Map(storage) }).order.add({ variantId })
  await page.session.refresh()
  expect((await page.order.add({ variantId })).order.lines[0]?.quantity).toBe(3)
})

test('an unknown code is refused at its field, and a known one can be removed again', async () => {
  const page = localPage(platform())
  await page.order.add({ variantId: await firstVariant(platform()) })
  await expect(page.order.applyPromotionCode('NONE')).rejects.toMatchObject({ param: 'code', status: 400 })
  await expect(page.order.removePromotionCode('NO&NE')).rejects.toMatchObject({ param: 'code', status: 404 })
  expect(page.session.get()).toMatchObject({ status: 'ready', isBusy: false })
})
