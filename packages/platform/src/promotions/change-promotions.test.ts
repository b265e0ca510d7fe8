import { contract, type NewPromotionInput, type Promotion } from '@tillwright/contract'
import { describe, expect, it } from 'vitest'
import { newCode, newPromotion } from '../../test/new-promotion.ts'
import { ruleTest, sharedPlatform, testableEngines } from '../../test/test-platform.ts'

describe.each(testableEngines())('on %s', (engine) => {
  const test = ruleTest(engine)
  const platform = sharedPlatform({ engine })
  const create = async (change: Partial<NewPromotionInput> = {}) => read(await newPromotion(platform(), change))
  const read = (id: string): Promise<Promotion> =>
    platform().call(contract.promotions.getById, { body: { id, storeId: platform().local.storeId } })
  const update = (body: object, headers: Record<string, string> = {}) =>
    platform().request('POST', contract.promotions.update.path, { body, headers })
  const move = (promotionId: string, to: 'archive' | 'unarchive', revision: number) =>
    platform().call(contract.promotions[to], { params: { promotionId }, body: { revision } })
  const moveRefused = (id: string, to: 'archive' | 'unarchive', body: object) =>
    platform().request('POST', `/api/catalog/v1/promotions/${id}/${to}`, { body })
  const listed = async (query: object) =>
    (await platform().call(contract.promotions.list, { query: { limit: 100, ...query } })).data.map(({ id }) => id)
  const eventsOf = async (id: string) => {
    const query = { types: 's_promotion_updated', limit: 100 }
    const { data } = await platform().call(contract.eventLog.list, { query })
    return data.map(({ properties }) => Object(properties)).filter(({ promotionId }) => promotionId === id)
  }
  const quote = async (promotionCodes: string[] = []) => {
    const { productId, storeId } = platform().local
    const { variants } = await platform().call(contract.products.get, { params: { productId } })
    const lines = [{ variantId: variants[0]?.id ?? '', quantity: 1 }]
    const { promotions } = await platform().call(contract.orders.quote, {
      body: { storeId, currency: 'USD', lines, promotionCodes },
    })
    const ids = promotions.applied.map(({ promotionId }) => promotionId)
    return { applied: ids, leftOut: promotions.leftOut }
  }

  test('an update with the revision that was read is made, and tells what it changed', async () => {
    const { id, code, ...before } = await create({ code: newCode() })
    expect(before).toMatchObject({ revision: 1, archived: false })
    const { status, body } = await update({ id, revision: 1, data: { name: 'Autumn', usageLimit: 5, enabled: true } })
    expect([status, body]).toMatchObject([200, { name: 'Autumn', usageLimit: 5, revision: 2, archived: false }])
    const properties = { promotionId: id, name: 'Autumn', code, archived: false, revision: 2 }
    expect(await eventsOf(id)).toEqual([{ ...properties, changed: ['name', 'usageLimit'] }])
    const { data } = await platform().call(contract.audit.list, { query: { resourceId: id } })
    expect(data.find(({ operation }) => operation === 'promotions.update')?.changes).toMatchObject({
      before: { name: 'Ten per cent', revision: 1 },
      after: { name: 'Autumn', revision: 2 },
    })
  })

  it('an update without a revision is applied to what is there, also of two clients at once', async () => {
    const { id } = await create()
    const both = [{ name: 'Autumn' }, { usageLimit: 7 }].map((data) => update({ id, data }))
    expect((await Promise.all(both)).map(({ status }) => status)).toEqual([200, 200])
    expect(await read(id)).toMatchObject({ name: 'Autumn', usageLimit: 7, revision: 3 })
  })

  it('of two clients that send the same revision one wins, and the other sees both states', async () => {
    const { id } = await create()
    const both = ['Ada', 'Bea'].map((name) => update({ id, data: { name }, revision: 1 }))
    const [won, lost] = (await Promise.all(both)).toSorted((one, other) => one.status - other.status)
    expect([won?.status, lost?.status]).toEqual([200, 409])
    expect(lost?.body).toMatchObject({
      error: { code: 'revision_conflict', expectedRevision: 1, currentRevision: 2, current: Object(won?.body) },
    })
    expect(await eventsOf(id)).toHaveLength(1)
  })

  test('an old revision is refused as If-Match too, even if nothing would change', async () => {
    const { id } = await create()
    expect((await update({ id, data: { name: 'Autumn' } }, { 'If-Match': '"1"' })).status).toBe(200)
    const late = await update({ id, data: { name: 'Autumn' } }, { 'If-Match': '"1"' })
    expect([late.status, late.error.code]).toEqual([409, 'revision_conflict'])
    const same = await update({ id, data: { name: 'Autumn' } }, { 'If-Match': '"2"' })
    expect([same.status, same.body]).toMatchObject([200, { revision: 2 }])
    expect(await eventsOf(id)).toHaveLength(1)
  })

  test('an archived promotion is left out of lists, can be read, and comes back', async () => {
    const { id } = await create({ name: `Heirloom ${engine}` })
    const q = `heirloom ${engine}`
    expect(await move(id, 'archive', 1)).toMatchObject({ id, archived: true, revision: 2 })
    expect([await listed({ q }), await listed({ q, archived: true })]).toEqual([[], [id]])
    expect(await read(id)).toMatchObject({ archived: true, revision: 2 })
    expect(await move(id, 'archive', 2)).toMatchObject({ archived: true, revision: 2 })
    expect(await move(id, 'unarchive', 2)).toMatchObject({ archived: false, revision: 3 })
    expect([await listed({ q }), await listed({ q, archived: true })]).toEqual([[id], []])
    const events = (await eventsOf(id)).toSorted((one, other) => one.revision - other.revision)
    expect(events.map(({ archived, changed }) => [archived, changed])).toEqual([
      [true, ['archived']],
      [false, ['archived']],
    ])
  })

  test.for<[what: string, body: object, status: number, code: string]>([
    ['no revision', {}, 400, 'parameter_missing'],
    ['an old revision', { revision: 1 }, 409, 'revision_conflict'],
  ])('archiving with %s is refused', async ([, body, status, code]) => {
    const { id } = await create()
    await update({ id, data: { name: 'Autumn' } })
    const refused = await moveRefused(id, 'archive', body)
    expect([refused.status, refused.error.code]).toEqual([status, code])
    expect((await read(id)).archived).toBe(false)
  })

  it('an archived code is left out with the reason, and an automatic promotion without a word', async () => {
    const code = newCode()
    const coded = await create({ code })
    const automatic = await create({ automatic: true })
    expect((await quote()).applied).toEqual([automatic.id])
    await move(automatic.id, 'archive', 1)
    expect(await quote()).toEqual({ applied: [], leftOut: [] })
    expect((await quote([code])).applied).toEqual([coded.id])
    await move(coded.id, 'archive', 1)
    expect(await quote([code])).toMatchObject({
      applied: [],
      leftOut: [{ promotionId: coded.id, clause: 'archived', field: 'archived', message: 'It is archived.' }],
    })
    await move(coded.id, 'unarchive', 2)
    expect((await quote([code])).applied).toEqual([coded.id])
  })

  it('the code of an archived promotion is free for another, and then not for its return', async () => {
    const code = newCode()
    const former = await create({ code })
    await move(former.id, 'archive', 1)
    const latter = await create({ code: code.toLowerCase() })
    expect((await quote([code])).applied).toEqual([latter.id])
    const refused = await moveRefused(former.id, 'unarchive', { revision: 2 })
    expect([refused.status, refused.error.code, refused.error.param]).toEqual([409, 'resource_exists', 'promotionId'])
    expect((await update({ id: former.id, data: { code: null }, revision: 2 })).status).toBe(200)
    expect(await move(former.id, 'unarchive', 3)).toMatchObject({ archived: false, code: null })
    expect((await quote([code])).applied).toEqual([latter.id])
  })

  it('of two promotions that come back at once to the same code one does', async () => {
    const code = newCode()
    const first = await create({ code })
    await move(first.id, 'archive', 1)
    const second = await create({ code })
    await move(second.id, 'archive', 1)
    const both = [first, second].map(({ id }) => moveRefused(id, 'unarchive', { revision: 2 }))
    expect((await Promise.all(both)).map(({ status }) => status).toSorted()).toEqual([200, 409])
  })
})
