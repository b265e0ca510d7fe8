import { contract } from '@tillwright/contract'
import { expect, test } from 'vitest'
import { buyersPage } from '../test/buyer-session.ts'
import { consoleHeaders, placeMember } from '../test/console-browser.ts'
import { sharedPlatform } from '../test/test-platform.ts'

// A buyer's page reports an event that names another store among its own properties. Members who are limited to the store
// read it all the same, and an event that is really of another store is still refused.

const platform = sharedPlatform()

test('what a page reports of its own does not hide the event from the members of its store', async () => {
  const { local, call, request } = platform()
  const page = await buyersPage(platform())
  const tracked = { name: 'looked', properties: { storeId: 'store_elsewhere', seen: [{ storeId: 'store_elsewhere' }] } }
  expect((await page.send('POST', '/events', { body: tracked })).status).toBe(200)
  const log = await call(contract.eventLog.list, { query: { limit: 100 } }, local.adminApiKey)
  const { id } = log.data.findLast(({ properties }) => JSON.stringify(properties).includes('store_elsewhere')) ?? {}
  const { token } = await placeMember(platform(), { role: 'support', storeIds: [local.storeId] })
  const read = (eventId: string | undefined) =>
    request('GET', contract.events.get.path.replace('{eventId}', eventId ?? ''), {
      key: '',
      headers: consoleHeaders(platform(), token),
    })
  const answer = await read(id)
  expect([answer.status, answer.text]).toEqual([200, expect.stringContaining('store_elsewhere')])
  const other = await call(contract.stores.create, { body: { name: 'Other' } })
  const later = await call(contract.eventLog.list, { query: { limit: 100 } }, local.adminApiKey)
  expect((await read(later.data.find(({ storeId }) => storeId === other.id)?.id)).status).toBe(404)
})
