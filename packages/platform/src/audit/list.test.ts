import { type AuditEntry, contract } from '@tillwright/contract'
import { describe, expect, test } from 'vitest'
import { sharedPlatform, testableEngines } from '../../test/test-platform.ts'
import type { Actor } from '../request-context.ts'
import { recordNow } from './record.ts'

/** More than a page looks at in search of entries without an index. */
const OF_THE_SHOP = 2_100

describe.each(testableEngines())('on %s', (engine) => {
  const platform = sharedPlatform({ engine })

  test('the entries of a key say when it ends, and which key it was rolled to', async () => {
    const { call } = platform()
    const made = await call(contract.apiKeys.create, {
      body: { kind: 'secret', expiresAt: '2099-01-31T00:00:00.000Z' },
    })
    const { id: keyId } = made.apiKey
    const { createdBy } = made.apiKey
    expect((await call(contract.apiKeys.list, { query: { createdBy: createdBy ?? '' } })).data).toContainEqual(
      made.apiKey,
    )
    expect((await call(contract.apiKeys.list, { query: { createdBy: keyId } })).data).toEqual([])
    const { apiKey: next } = await call(contract.apiKeys.roll, { params: { keyId }, body: {} })
    await call(contract.apiKeys.revoke, { params: { keyId } })
    const { data } = await call(contract.audit.list, { query: { resourceId: keyId } })
    const changes = new Map(data.map((entry) => [entry.operation, entry.changes]))
    expect(changes.get('apiKeys.create')).toMatchObject({ after: { expiresAt: '2099-01-31T00:00:00.000Z' } })
    expect(changes.get('apiKeys.roll')).toMatchObject({ before: { replacedBy: null }, after: { replacedBy: next.id } })
    expect(changes.get('apiKeys.revoke')).toMatchObject({ before: { state: 'good' }, after: { state: 'revoked' } })
  })

  test('entries are found by who made them: by an index, or for keys, which make nearly all, page after page', async () => {
    const { accountId, apiKey } = await platform().addAccount()
    const { services } = platform()
    const change = (actor: Actor, id: string) =>
      recordNow({ accountId, actor, operation: 'products.create', resource: { type: 'product', id } }, services)
    const key = (id: string): Actor => ({ kind: 'key', id, name: null })
    const [rare, shop] = [key('key_rare'), key('key_shop')]
    const ada: Actor = { kind: 'member', id: 'mem_ada', name: 'Ada' }
    // The user of an operating system may be called like a key.
    const operator: Actor = { kind: 'operator', id: 'key_ring', name: 'host' }
    const early = [rare, ada, operator].map((actor) => change(actor, 'product_early'))
    for (const writes of early) await services.db.write(writes)
    platform().clock.advance(1_000)
    await Promise.all(Array.from({ length: OF_THE_SHOP }, (_, at) => services.db.write(change(shop, `product_${at}`))))
    platform().clock.advance(1_000)
    await services.db.write(change(rare, 'product_late'))

    const pages = async (actorId: string) => {
      const found: AuditEntry[][] = []
      for (let after: string | null = ''; after !== null;) {
        const query = { actorId, limit: 100, ...(after !== '' && { after }) }
        const page: { data: AuditEntry[]; nextCursor: string | null } = await platform().call(
          contract.audit.list,
          { query },
          apiKey,
        )
        found.push(page.data)
        after = page.nextCursor
      }
      return found.map((entries) => entries.map(({ resourceId }) => resourceId))
    }
    expect(await pages(ada.id)).toEqual([['product_early']])
    expect(await pages(rare.id)).toEqual([['product_late'], ['product_early']])
    expect((await pages(operator.id)).flat()).toEqual(['product_early'])
    expect(new Set((await pages(shop.id)).flat()).size).toBe(OF_THE_SHOP)
  })

  test('an entry has what an answer says of the resource, without the sentence that it has succeeded', async () => {
    const { local, request, call } = platform()
    const variants = [{ name: 'White', prices: [{ currencyOptions: { USD: { amount: 900 } } }] }]
    const body = { storeId: local.storeId, name: 'Mug', variants }
    const created = await request('POST', '/api/public/v1/products/create', { body })
    const { productId } = Object(created.body)
    expect(created.body).toEqual({ success: true, message: 'The product was created.', productId })
    const { data } = await call(contract.audit.list, { query: { resourceId: productId } }, local.adminApiKey)
    expect(data.map(({ changes }) => changes)).toEqual([{ after: { productId } }])
  })
})
