import { type Audience, eventTypes, isReadById, type Operation } from '@tillwright/contract'
import { beforeAll, describe, expect, it } from 'vitest'
import { happyRequests } from '../happy-requests.ts'
import { ruleEngines, ruleTest, sharedPlatform, testableEngines } from '../test-platform.ts'
import { expectRefusal } from './expect-refusal.ts'
import { operations } from './operations.ts'
import { sendTo } from './send-to.ts'
import { withoutWebhooks } from './table-digests.ts'

/** The buckets of browsers; all others are the account's. */
const policies: Partial<Record<Audience, string>> = {
  frame: '"frame";q=20;w=60',
  page: '"session";q=60;w=60',
  session: '"session";q=120;w=60',
  console: '"member";q=300;w=60',
}

describe.each(testableEngines())('on %s', (engine) => {
  const test = ruleTest(engine)
  const platform = sharedPlatform({ engine })
  // Nothing listens to the endpoint of the local account, and each event would be tried in vain.
  beforeAll(() => withoutWebhooks(platform().services.db))
  const happyRequest = async (id: string) => (await happyRequests[id]?.(platform())) ?? {}
  const eventRows = () => platform().services.db.read('SELECT id, event_type, properties FROM events', [])

  it.for(operations)(
    '$id answers with its own status and exactly the fields of its schema, and emits only what it says',
    async ({ id, operation }) => {
      expect(happyRequests, 'a happy request is missing').toHaveProperty([id])
      const sent = await happyRequest(id)
      const before = operation.emits && new Set((await eventRows()).map((row) => row['id']))
      const answer = await sendTo(platform(), operation, sent)
      expect(answer.status, answer.text).toBe(operation.status)
      expect(operation.response.parse(answer.body)).toEqual(answer.body)
      expect(answer.headers).toMatchObject({
        'content-type': `${operation.eventStream ? 'text/event-stream' : 'application/json'}; charset=utf-8`,
        'x-request-id': expect.stringMatching(/^req_[0-9A-Za-z]{22}$/),
        'cache-control': 'no-store',
        'ratelimit-policy': policies[operation.audience] ?? '"standard";q=100;w=60',
      })
      if (before) {
        const emitted = (await eventRows()).filter((row) => !before.has(row['id'] ?? null))
        expectEmitted(emitted, operation)
      }
    },
  )

  test.for(operations.filter(({ operation }) => isReadById(operation)))(
    '$id is not sent again to a client that has it',
    async ({ id, operation }) => {
      const sent = await happyRequest(id)
      const { headers: first, body } = await sendTo(platform(), operation, sent)
      const { revision } = Object(body)
      expect(first['etag']).toMatch(new RegExp(`^"${revision === undefined ? '' : `${revision}-`}[\\w-]{22}"$`))
      const having = (tags: string) => sendTo(platform(), operation, { ...sent, headers: { 'If-None-Match': tags } })
      const again = await having(`"other", W/${first['etag']}`)
      expect([again.status, again.text], 'the second read is another').toEqual([304, ''])
      expect(again.headers).toMatchObject({ etag: first['etag'], 'cache-control': 'no-store' })
      expect(again.headers).not.toHaveProperty('content-type')
      expect((await having('"other"')).status).toBe(200)
      const { params } = sent
      const unknown = Object.fromEntries(Object.keys(params ?? {}).map((name) => [name, 'none']))
      const ofNobody = { ...sent, params: unknown, headers: { 'If-None-Match': '*' } }
      expect((await sendTo(platform(), operation, ofNobody)).status).toBe(404)
    },
  )

  const oddIds = [
    "'; DROP TABLE x; --",
    '\u{1F600}',
    'x'.repeat(128),
    // These are handled before an engine is asked.
    ...ofFirst(engine, ['none', 'a b', '../../x', 'ü', '%', '__proto__']),
  ]
  const noIds = ['a\0b', ...ofFirst(engine, ['x'.repeat(129), '\0'])]

  it.for(operations.filter(({ operation }) => operation.params !== undefined))(
    '$id answers 404 to an id that nobody has, and refuses what cannot be one',
    async ({ id, operation }) => {
      const { params, ...sent } = await happyRequest(id)
      for (const name of Object.keys(operation.params?.shape ?? {})) {
        for (const value of oddIds) {
          const answer = await sendTo(platform(), operation, { ...sent, params: { ...params, [name]: value } })
          expect(answer.status, value).toBe(404)
          expectRefusal(operation, answer)
        }
        for (const value of noIds) {
          const answer = await sendTo(platform(), operation, { ...sent, params: { ...params, [name]: value } })
          expect([answer.status, answer.error.param]).toEqual([400, name])
          expectRefusal(operation, answer)
        }
      }
    },
  )

  test.for(
    operations.flatMap(({ id, operation }) =>
      Object.keys(operation.query?.shape ?? {}).map((name) => ({ id, operation, name })),
    ),
  )('$id refuses a NUL in the query parameter $name, which no database could keep', async ({ id, operation, name }) => {
    const { params } = operation.params === undefined ? {} : await happyRequest(id)
    const answer = await sendTo(platform(), operation, { ...(params && { params }), query: { [name]: '\0' } })
    expect([answer.status, answer.error.param]).toEqual([400, name])
    expectRefusal(operation, answer)
  })
})

/** For the first engine, and for all of them in a soak. */
const ofFirst = (engine: string, values: readonly string[]) =>
  ruleEngines().some((one) => one === engine) ? values : []

/** Each with the properties of its type. */
function expectEmitted(rows: readonly Readonly<Record<string, unknown>>[], { emits }: Operation): void {
  expect(rows.length).toBeGreaterThan(0)
  for (const row of rows) {
    const type = String(row['event_type'])
    expect(emits).toContain(type)
    const schema = eventTypes[type as keyof typeof eventTypes] // the line above has made sure
    const properties: unknown = JSON.parse(String(row['properties']))
    expect(schema.parse(properties)).toEqual(properties)
  }
}
