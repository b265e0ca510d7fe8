import { rolesWith } from '@tillwright/contract'
import { beforeAll, expect, test } from 'vitest'
import { addressOf } from '../address-of.ts'
import { happyRequests } from '../happy-requests.ts'
import { secondAccount } from '../second-account.ts'
import { sharedPlatform } from '../test-platform.ts'
import { expectRefusal } from './expect-refusal.ts'
import { operations } from './operations.ts'
import { sendTo } from './send-to.ts'
import { withoutWebhooks } from './table-digests.ts'

const platform = sharedPlatform()

// Nothing listens to the endpoint of the local account, and each event would be tried in vain.
beforeAll(() => withoutWebhooks(platform().services.db))

const updates = operations.flatMap(({ id, operation }) => {
  const { decided, response, body } = operation
  if (operation.method !== 'PATCH' && decided === undefined) return []
  const fieldsOf = (schema: unknown) => Object.keys(Object(Object(schema).shape))
  const unchanged = fieldsOf(response).filter((field) => !fieldsOf(body).includes(field))
  return [{ id, operation, decided: decided ?? {}, unchanged }]
})

test('each update has an answer for each field of its resource that it does not change, and for no other', () => {
  expect(updates.length).toBeGreaterThan(10)
  for (const { id, decided, unchanged } of updates)
    expect(Object.keys(decided).toSorted(), id).toEqual(unchanged.toSorted())
})

const fields = updates.flatMap(({ decided, ...update }) =>
  Object.entries(decided).map(([field, by]) => ({ ...update, field, by })),
)

test.for(fields)('$id refuses $field and says that it $by', async ({ id, operation, field, by }) => {
  const good = (await happyRequests[id]?.(platform())) ?? {}
  const body = { ...Object(good.body), [field]: 'other' }
  const answer = await sendTo(platform(), operation, { ...good, body })
  expectRefusal(operation, answer)
  expect([answer.status, answer.error.code, answer.error.param]).toEqual([400, 'parameter_invalid', field])
  expect(answer.error.message).toBe(`${field} ${by}.`)
})

test('a field that only has the name of one, further inside, is still none', async () => {
  const { request, local } = platform()
  const body = { name: 'Mine', revision: 1, abuseDetectionConfig: { id: 'other' } }
  const path = `/api/payments/v1/payment-flows/${local.paymentFlowId}`
  const answer = await request('PATCH', path, { key: local.adminApiKey, body })
  expect(answer.error.message).toBe(
    'abuseDetectionConfig.id is not a field of this object; correct its name or leave it out.',
  )
})

/** What a refusal of a caller of the wrong kind has to say: who calls operations of this audience. */
const callers = {
  key: /use a secret key .* on your server/,
  admin: /use a secret key .* on your server/,
  page: /give the page a publishable key/,
  frame: /give the page a publishable key/,
  session: /the page of a buyer may, with the token that came with its session/,
  console: /(a member|of members, .*) may, signed in to the console/,
} as const

test.for(operations)('$id tells a key of the wrong kind who may call it', async ({ id, operation }) => {
  const { audience, scope } = operation
  const { local, request, vaultRequest, pageRequest } = platform()
  const sent = (await happyRequests[id]?.(platform())) ?? {}
  const { method, path } = addressOf(operation, sent)
  const isPages = audience === 'page' || audience === 'session'
  const send = isPages ? pageRequest : audience === 'frame' ? vaultRequest : request
  const key = audience === 'key' || audience === 'admin' ? local.publishableKey : local.adminApiKey
  const { status, error } = await send(method, path, { key, ...('body' in sent && { body: sent.body }) })
  expect([status, error.message]).toEqual([401, expect.stringMatching(callers[audience])])
  if (audience === 'console' && scope !== undefined) expect(error.message).toContain(rolesWith(scope))
})

const scoped = operations.filter(({ operation: { audience, scope, operator } }) =>
  scope === undefined || operator === true ? false : audience === 'key' || audience === 'admin',
)

test.for(scoped)('$id tells a key without the right which keys and members have it', async ({ id, operation }) => {
  const { audience, scope = 'events:read' } = operation
  const { request, addKey } = platform()
  const sent = (await happyRequests[id]?.(platform())) ?? {}
  const { method, path } = addressOf(operation, sent)
  const other = scope === 'products:read' ? 'stores:read' : 'products:read'
  const key = await addKey({ scopes: [other] })
  const { status, error } = await request(method, path, { key, ...('body' in sent && { body: sent.body }) })
  expect(status).toBe(403)
  expect(error.message).toMatch(audience === 'admin' ? /use a key that has it/ : `lacks the scope ${scope}; use a key`)
  expect(error.message).toContain(`Of members, ${rolesWith(scope)} may do this.`)
})

test('what is of the platform tells every other account to ask whoever runs it', async () => {
  const other = await secondAccount(platform())
  const ofOperator = operations.filter(({ operation }) => operation.operator === true)
  expect(ofOperator.length).toBeGreaterThan(0)
  for (const { operation } of ofOperator) {
    const { status, error } = await sendTo(other, operation, {})
    expect([status, error.message]).toEqual([403, expect.stringContaining('ask whoever runs the platform')])
  }
})
