import { contract } from '@tillwright/contract'
import { expect, test } from 'vitest'
import { secondAccount } from '../test/second-account.ts'
import { sharedPlatform } from '../test/test-platform.ts'

/** The attacker has a key of an account of their own, and asks for what happened in another. */
const platform = sharedPlatform()

test('no filter and no cursor opens the log of another account, and a key without the scope opens none', async () => {
  const theirs = await secondAccount(platform())
  const { storeId } = theirs.local
  platform().clock.advance(1_000)
  await theirs.call(contract.funnels.create, {
    body: { storeId, name: 'Theirs', steps: [{ type: 'landing', name: 'L', path: '/' }] },
  })
  const { data, nextCursor } = await theirs.call(contract.audit.list, { query: { limit: 1 } })
  const [entry] = data
  if (entry === undefined) throw new Error('They have an entry.')
  expect(entry).toMatchObject({ operation: 'funnels.create', accountId: theirs.local.accountId })
  const filters = [
    {},
    { resourceId: entry.resourceId ?? '' },
    { actorId: entry.actor.id },
    { operation: entry.operation },
    { after: nextCursor ?? '' },
    { createdFrom: entry.createdAt },
  ]
  for (const query of filters) {
    const seen = await platform().call(contract.audit.list, { query })
    expect(seen.data.filter(({ accountId }) => accountId !== platform().local.accountId)).toEqual([])
    expect(JSON.stringify(seen)).not.toContain(theirs.local.accountId)
  }
  const key = await platform().addKey({ scopes: ['products:read'] })
  const refused = await platform().request('GET', '/api/audit/v1/entries', { key })
  expect([refused.status, refused.error.code]).toEqual([403, 'scope_missing'])
  const allowed = await platform().addKey({ scopes: ['audit:read'] })
  expect((await platform().request('GET', '/api/audit/v1/entries', { key: allowed })).status).toBe(200)
})
