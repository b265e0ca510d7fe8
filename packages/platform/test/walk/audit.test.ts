import { byteOperations, type Operation } from '@tillwright/contract'
import { describe, expect, test } from 'vitest'
import { happyRequests } from '../happy-requests.ts'
import { ruleEngines, sharedPlatform } from '../test-platform.ts'
import { operations } from './operations.ts'
import { sendTo } from './send-to.ts'

/**
 * Operations that change nothing although their method would allow it: they read, or compute, or only ask again for what
 * is already so.
 */
const changesNothing = new Set([
  'accounts.testKeyByPost',
  'promotions.getById',
  'orders.quote',
  'events.statistics',
  'paymentFlows.replay',
  'processors.check',
  'plugins.deployments',
  'threedsFrame.result',
  'recoveries.read',
  'session.findMethods',
  'vault.createAppleSession',
])

/** Those that change something, and those that hand out a secret, or all that is known of a person as a file. */
const recorded = operations.filter(
  ({ id, operation: { method, streamed } }) => streamed === true || (method !== 'GET' && !changesNothing.has(id)),
)

describe.each(ruleEngines())('on %s', (engine) => {
  const platform = sharedPlatform({ engine })
  const entriesOf = async (requestId: unknown) =>
    platform().services.db.read('SELECT * FROM audit_entries WHERE request_id = ?', [String(requestId)])

  test.for(recorded)('$id leaves one entry of what was done', async ({ id, operation }) => {
    const sent = (await happyRequests[id]?.(platform())) ?? {}
    const headers = { 'User-Agent': 'walk/1.0' }
    const answer = await sendTo(platform(), operation, { ...sent, headers })
    const entries = await entriesOf(answer.headers['x-request-id'])
    // A change that is recorded before an outside system is asked has an entry of its own, without an answer.
    const begun =
      mayBegin(operation) || id === 'testClock.advance' || id.startsWith('recoveries.')
        ? entries.filter(({ status }) => status === null)
        : []
    const ended = entries.filter((entry) => !begun.includes(entry))
    const last = ended.length === 0 ? begun.at(-1) : ended[0]
    expect(ended.length).toBeLessThanOrEqual(1)
    expect([...begun, last]).toEqual([
      ...begun.map(() => expect.objectContaining({ operation: id, request_id: answer.headers['x-request-id'] })),
      expect.objectContaining({
        account_id: platform().local.accountId,
        operation: id,
        status: ended.length === 0 ? null : answer.status,
        actor_kind: actorOf(operation).kind,
        actor_id: expect.stringMatching(actorOf(operation).id),
        ...(isNobodys(operation)
          ? { address: null, user_agent: null }
          : { address: '127.0.0.1', user_agent: 'walk/1.0' }),
        resource_type: expect.any(String),
        resource_id: expect.stringMatching(/^[\w-]{4,64}$/),
      }),
    ])
  })

  test.for(operations.filter((each) => !recorded.includes(each)))(
    '$id changes nothing, and leaves no entry',
    async ({ id, operation }) => {
      const answer = await sendTo(platform(), operation, (await happyRequests[id]?.(platform())) ?? {})
      expect(await entriesOf(answer.headers['x-request-id'])).toEqual([])
    },
  )
})

test('uploads of bytes are walked by a test of their own, and there is one of them', () => {
  expect(Object.values(byteOperations).flatMap((group) => Object.keys(group))).toEqual(['uploadAsset'])
})

/** The caller of an operation in this walk. */
function actorOf({ audience }: Operation): { kind: string; id: RegExp } {
  if (audience === 'session') return { kind: 'session', id: /^fsn_\w{22}$/ }
  return audience === 'console' ? { kind: 'member', id: /^mem_\w{22}$/ } : { kind: 'key', id: /^key_\w{22}$/ }
}

/** Whether a buyer's browser calls it before there is a session: by nothing of theirs would an erasure find the entry. */
function isNobodys({ audience }: Operation): boolean {
  return audience === 'page' || audience === 'frame'
}

function mayBegin({ idempotent }: Operation): boolean {
  return idempotent === 'lease' || idempotent === 'repeatable'
}
