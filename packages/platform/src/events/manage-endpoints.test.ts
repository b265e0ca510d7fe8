import { contract } from '@tillwright/contract'
import { expect, test } from 'vitest'
import { newEndpoint } from '../../test/endpoint-requests.ts'
import { sharedPlatform } from '../../test/test-platform.ts'

const platform = sharedPlatform()
const { get, update } = contract.webhookEndpoints

test('enabling an endpoint that is enabled forgives its failures, and changes nothing where there are none', async () => {
  const { call, services } = platform()
  const { id: endpointId } = await newEndpoint(platform())
  const sql = 'UPDATE webhook_endpoints SET failing_since = 1 WHERE account_id = ? AND id = ?'
  await services.db.write([{ sql, params: [platform().local.accountId, endpointId] }])
  const { revision, failingSince } = await call(get, { params: { endpointId } })
  expect(failingSince).toBe('1970-01-01T00:00:00.001Z')
  const forgiven = await call(update, { params: { endpointId }, body: { enabled: true, revision } })
  expect(forgiven).toMatchObject({ enabled: true, failingSince: null, revision: revision + 1 })
  expect(await call(get, { params: { endpointId } })).toEqual(forgiven)
  const again = await call(update, { params: { endpointId }, body: { enabled: true, revision: revision + 1 } })
  expect(again).toEqual(forgiven)
})
