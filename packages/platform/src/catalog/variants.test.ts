import { contract, type Product } from '@tillwright/contract'
import { describe, expect, test } from 'vitest'
import { newInstrument } from '../../test/pay-with-card.ts'
import { ruleEngines, sharedPlatform } from '../../test/test-platform.ts'

const usd = (amount: number) => ({ currencyOptions: { USD: { amount } } })

describe.each(ruleEngines())('on %s', (engine) => {
  const platform = sharedPlatform({ engine })
  const create = async () => {
    const variants = [{ name: 'White', prices: [usd(900)] }]
    const body = { storeId: platform().local.storeId, name: 'Mug', variants }
    const { productId } = await platform().call(contract.products.create, { body })
    return platform().call(contract.products.get, { params: { productId } })
  }
  const first = ({ id: productId, variants }: Product) => {
    const variant = variants[0]
    const price = variant?.prices[0]
    if (variant === undefined || price === undefined) throw new Error('A product has a variant with a price.')
    return { variant, price, ofVariant: { productId, variantId: variant.id } }
  }
  const send = (method: 'POST' | 'PATCH', path: string, body: object) =>
    platform().request(method, `/api/catalog/v1/products/${path}`, { body })
  const codeOf = ({ status, body }: { status: number; body: unknown }) => [
    status,
    Object(Object(body).error).code,
    Object(Object(body).error).param,
  ]
  const quote = (variantId: string, priceId?: string) =>
    platform().request('POST', contract.orders.quote.path, {
      body: { storeId: platform().local.storeId, currency: 'USD', lines: [{ variantId, priceId, quantity: 1 }] },
    })
  const pay = async (lines: object[]) =>
    platform().request('POST', contract.payments.create.path, {
      body: {
        storeId: platform().local.storeId,
        paymentInstrumentId: (await newInstrument(platform())).id,
        currency: 'USD',
        lines,
      },
    })

  test('a variant is added, becomes the default, and the other one can be archived then', async () => {
    const product = await create()
    const { ofVariant } = first(product)
    const params = { productId: product.id }
    const refused = await send('POST', `${product.id}/variants/${ofVariant.variantId}/archive`, { revision: 1 })
    expect(codeOf(refused)).toEqual([409, 'state_conflict', 'variantId'])
    const body = { revision: 1, name: 'Blue', sku: `blue-${product.id}`, default: true, prices: [usd(950)] }
    const added = await platform().call(contract.variants.create, { params, body })
    expect(added).toMatchObject({ revision: 2, variants: [{ default: false }, { name: 'Blue', default: true }] })
    const archived = await platform().call(contract.variants.archive, { params: ofVariant, body: { revision: 2 } })
    expect(archived.variants[0]).toMatchObject({ archived: true, name: 'White' })
    const found = await platform().call(contract.products.list, { query: { q: `blue-${product.id}` } })
    expect(found.data.map(({ id }) => id)).toEqual([product.id])
  })

  test('a variant is changed by a merge patch, and its sku stays unique', async () => {
    const product = await create()
    const { ofVariant } = first(product)
    const path = `${product.id}/variants/${ofVariant.variantId}`
    const sku = `sku-${product.id}`
    const changed = await send('PATCH', path, { revision: 1, sku, grams: 300 })
    expect(changed.body).toMatchObject({ revision: 2, variants: [{ name: 'White', sku, grams: 300 }] })
    const cleared = await send('PATCH', path, { revision: 2, sku: null })
    expect(Object(cleared.body).variants[0]).not.toHaveProperty('sku')
    await send('PATCH', path, { revision: 3, sku })
    const other = await create()
    const taken = await send('PATCH', `${other.id}/variants/${first(other).variant.id}`, { revision: 1, sku })
    expect(codeOf(taken)).toEqual([409, 'resource_exists', 'sku'])
  })

  test('a price without a purchase can be changed, and must stay one that could be created', async () => {
    const product = await create()
    const { ofVariant, price } = first(product)
    const path = `${product.id}/variants/${ofVariant.variantId}/prices/${price.id}`
    const changed = await send('PATCH', path, { revision: 1, currencyOptions: { EUR: { amount: 800 } } })
    expect(Object(changed.body).variants[0].prices[0].currencyOptions).toEqual({
      USD: { amount: 900, currency: 'USD' },
      EUR: { amount: 800, currency: 'EUR' },
    })
    const none = { revision: 2, currencyOptions: { EUR: null, USD: null } }
    expect(codeOf(await send('PATCH', path, none))).toEqual([400, 'parameter_invalid', 'currencyOptions'])
    expect(codeOf(await send('PATCH', path, { revision: 2, recurring: true }))).toEqual([
      400,
      'parameter_invalid',
      'interval',
    ])
  })

  test('a price that was sold keeps its terms; a new one takes its place', async () => {
    const product = await create()
    const { ofVariant, price, variant } = first(product)
    expect((await pay([{ variantId: variant.id, quantity: 1 }])).status).toBe(201)
    const path = `${product.id}/variants/${variant.id}/prices/${price.id}`
    const refused = await send('PATCH', path, { revision: 1, ...usd(1_000) })
    expect(codeOf(refused)).toEqual([409, 'state_conflict', 'priceId'])
    expect(Object(refused.body).message).toContain('replaces')
    expect((await send('PATCH', path, { revision: 1, offeredToPages: true })).status).toBe(200)
    const body = { revision: 2, ...usd(1_000), replaces: price.id }
    const replaced = await platform().call(contract.prices.create, { params: ofVariant, body })
    expect(replaced.variants[0]?.prices).toMatchObject([
      { id: price.id, archived: true, default: false, offeredToPages: true },
      { archived: false, default: true, offeredToPages: false },
    ])
    expect((await quote(variant.id)).body).toMatchObject({ amount: 1_000 })
    expect(codeOf(await quote(variant.id, price.id))).toEqual([409, 'state_conflict', 'lines[0].priceId'])
  })

  test('what is archived is not sold, in a quote or a payment, and is sold again afterwards', async () => {
    const product = await create()
    const { variant } = first(product)
    await send('POST', `${product.id}/archive`, { revision: 1 })
    const line = { variantId: variant.id, quantity: 1 }
    const refusal = [409, 'state_conflict', 'lines[0].variantId']
    expect([codeOf(await quote(variant.id)), codeOf(await pay([line]))]).toEqual([refusal, refusal])
    await send('POST', `${product.id}/unarchive`, { revision: 2 })
    expect((await pay([line])).status).toBe(201)
  })
})
