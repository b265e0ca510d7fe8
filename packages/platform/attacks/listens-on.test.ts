import { contract, EVENT_STREAMS_PER_ACCOUNT } from '@tillwright/contract'
import { expect, test } from 'vitest'
import { consoleHeaders, placeMember } from '../test/console-browser.ts'
import { openEventStream } from '../test/open-event-stream.ts'
import { secondAccount } from '../test/second-account.ts'
import { sharedPlatform } from '../test/test-platform.ts'

// The attacker has a stream of events open that they may not have, or no longer: another account's, another store's,
// that of a member who was removed or demoted, or of a browser that was left alone. Or an account opens so many that
// others get none.

const platform = sharedPlatform()
const STREAM = contract.eventLog.stream.path
const HOUR_MS = 3_600_000

const trigger = async (storeId?: string) => {
  const properties = { properties: { storeId: storeId ?? platform().local.storeId } }
  return (await platform().call(contract.eventLog.trigger, { body: { eventType: 's_store_created', ...properties } }))
    .id
}

async function asMember(member: Parameters<typeof placeMember>[1]) {
  const placed = await placeMember(platform(), member)
  const headers = consoleHeaders(platform(), placed.token)
  const open = (query: Record<string, string> = {}) => openEventStream(platform(), { key: '', headers, query })
  return { ...placed, headers, open }
}

test('another account’s events come neither live nor by a cursor, and its cursors tell nothing', async () => {
  const other = await secondAccount(platform())
  const stream = await openEventStream(other, { query: { after: 'evt_', drafts: 'true' } })
  const { ids: before } = await stream.live()
  const foreign = await trigger()
  const own = (await other.call(contract.eventLog.trigger, { body: { eventType: 's_order_paid' } })).id
  expect((await stream.event()).id).toBe(own)
  expect(before).not.toContain(foreign)
  const refusal = async (after: string) => {
    const answer = await platform().request('GET', `${STREAM}?after=${after}`, { key: other.local.adminApiKey })
    return [answer.status, answer.error.message.replace(after, '')]
  }
  expect(await refusal(foreign)).toEqual(await refusal(`evt_${'0'.repeat(22)}`))
  const resumed = await openEventStream(other, { query: { after: `${foreign}_0`, drafts: 'true' } })
  expect((await resumed.live()).ids).not.toContain(foreign)
})

test('a stream ends within one beat when its member is removed, signed out or gets another role', async () => {
  const changes = [
    (memberId: string) => platform().call(contract.members.remove, { params: { memberId } }),
    (memberId: string) => platform().call(contract.members.endSessions, { params: { memberId } }),
    (memberId: string) => platform().call(contract.members.update, { params: { memberId }, body: { role: 'support' } }),
    (memberId: string) =>
      platform().call(contract.members.update, {
        params: { memberId },
        body: { storeIds: [platform().local.storeId] },
      }),
  ]
  for (const change of changes) {
    const { memberId, open } = await asMember({ role: 'developer' })
    const stream = await open({ drafts: 'true' })
    await stream.live()
    await change(memberId)
    platform().clock.advance(15_000)
    // Nothing comes any more but what ends it.
    for (let heard = await stream.next(); heard !== null; heard = await stream.next()) {
      expect(heard.event).toMatch(/^s_member_(removed|updated)$/)
      expect(heard.data).toContain(memberId)
    }
  }
})

test('an open stream does not keep a browser signed in that was left alone', async () => {
  const { open, headers } = await asMember({ role: 'support' })
  const stream = await open()
  await stream.live()
  for (let beats = 0; beats < 4; beats++) {
    platform().clock.advance(HOUR_MS / 2 - 1)
    expect(await stream.next()).toMatchObject({ comment: 'alive' })
  }
  platform().clock.advance(HOUR_MS / 2)
  expect(await stream.next()).toBeNull()
  expect((await open()).status).toBe(401)
  expect((await platform().request('GET', '/api/members/v1/me', { key: '', headers })).status).toBe(401)
})

test('a member of a store gets the events of that store and no other’s', async () => {
  const { storeId } = platform().local
  const { id: otherStore } = await platform().call(contract.stores.create, { body: { name: 'Elsewhere' } })
  const { open } = await asMember({ role: 'operations', storeIds: [storeId] })
  expect((await open()).status).toBe(403)
  expect((await open({ storeId: otherStore })).status).toBe(404)
  const stream = await open({ storeId })
  await stream.live()
  const product = {
    name: 'Mug',
    variants: [{ name: 'White', prices: [{ currencyOptions: { USD: { amount: 900 } } }] }],
  }
  await platform().call(contract.products.create, { body: { storeId: otherStore, ...product } })
  await platform().call(contract.products.create, { body: { storeId, ...product } })
  expect((await stream.event()).storeId).toBe(storeId)
})

test('another page cannot open a stream with the cookie, and a plain key has no right to it', async () => {
  const { headers } = await asMember({ role: 'owner' })
  const { 'Tillwright-Console': _, ...withoutHeader } = headers
  for (const sent of [withoutHeader, { ...headers, 'Sec-Fetch-Site': 'cross-site' }]) {
    const answer = await platform().request('GET', STREAM, { key: '', headers: sent })
    expect([answer.status, answer.error.code]).toEqual([403, 'cross_site_refused'])
  }
  expect((await platform().request('GET', STREAM)).error.code).toBe('role_required')
})

test('an account that opens all the streams it can leaves others theirs', async () => {
  const streams = await Promise.all(
    Array.from({ length: EVENT_STREAMS_PER_ACCOUNT }, () => openEventStream(platform())),
  )
  await Promise.all(streams.map((stream) => stream.live()))
  const refused = await platform().request('GET', STREAM, { key: platform().local.adminApiKey })
  expect([refused.status, refused.error.code, refused.headers['retry-after']]).toEqual([
    429,
    'concurrency_exceeded',
    '15',
  ])
  const other = await secondAccount(platform())
  expect((await openEventStream(other)).status).toBe(200)
  for (const stream of streams) stream.close()
  await expect.poll(async () => (await openEventStream(platform())).status).toBe(200)
})
