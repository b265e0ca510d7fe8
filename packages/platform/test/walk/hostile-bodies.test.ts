import { BODY_MAX_BYTES, type ErrorCode } from '@tillwright/contract'
import { beforeAll, describe, expect, test } from 'vitest'
import { firstOf, soaks } from '../../../../.ci/soaks.ts'
import { happyRequests } from '../happy-requests.ts'
import { sharedPlatform, testableEngines } from '../test-platform.ts'
import { pathsOf, putAt, valueAt } from './at-path.ts'
import { expectRefusal } from './expect-refusal.ts'
import { operations, operationsWithBody } from './operations.ts'
import { anyMember, sendTo } from './send-to.ts'
import { tableDigests, withoutWebhooks } from './table-digests.ts'

interface Hostile {
  what: string
  /** Makes it of a good body. */
  raw: (good: string) => string | Uint8Array
  code: ErrorCode
  headers?: Record<string, string>
}

/** A good body with one more field. */
const withField = (field: string) => (good: string) => `${good.slice(0, -1)}${good === '{}' ? '' : ','}${field}}`
const json = (raw: Hostile['raw']) => ({ raw, code: 'json_invalid' }) as const

const hostile: readonly Hostile[] = [
  { what: 'an empty body', ...json(() => '') },
  { what: 'half of it', ...json((good) => good.slice(0, -1)) },
  { what: 'it and something behind it', ...json((good) => `${good}}`) },
  { what: 'it twice', ...json((good) => good + good) },
  { what: 'a byte order mark before it', ...json((good) => `\uFEFF${good}`) },
  { what: 'it in UTF-16', ...json((good) => Buffer.from(good, 'utf16le')) },
  { what: 'invalid UTF-8', ...json((good) => Buffer.from(withField('"x":"\xff"')(good), 'latin1')) },
  { what: 'a name twice', ...json(withField('"x":1,"x":1')) },
  { what: 'a name twice, once by an escape', ...json(withField('"x":1,"\\u0078":2')) },
  { what: '__proto__', ...json(withField('"__proto__":{"a":1}')) },
  { what: '__proto__ deep inside', ...json(withField('"x":[{"y":{"__proto__":null}}]')) },
  { what: 'a NUL', ...json(withField('"x":"\\u0000"')) },
  { what: 'a NUL in a name', ...json(withField('"x\\u0000":1')) },
  { what: 'half of a surrogate pair', ...json(withField('"x":"\\ud800"')) },
  { what: '1e400', ...json(withField('"x":1e400')) },
  { what: 'an integer of 30 digits', ...json(withField('"x":123456789012345678901234567890')) },
  { what: 'NaN', ...json(withField('"x":NaN')) },
  { what: '10,000 levels', ...json(withField(`"x":${'['.repeat(10_000)}${']'.repeat(10_000)}`)) },
  { what: '10,000 levels that do not end', ...json(withField(`"x":${'{"a":'.repeat(10_000)}`)) },
  { what: 'a form', ...typed('application/x-www-form-urlencoded') },
  { what: 'plain text', ...typed('text/plain') },
  { what: 'a type that only begins like JSON', ...typed('application/jsonp') },
]

function typed(type: string): Omit<Hostile, 'what'> {
  return { raw: (good) => good, code: 'content_type_unsupported', headers: { 'Content-Type': type } }
}

const HUGE = ['1e400', '-1e400', '123456789012345678901234567890'] as const
/** All operations have one reader of bodies: each gets every fourth of the hostile ones in turns, in a soak all. */
const EVERY_NTH = soaks ? 1 : 4
const TEN_MEGABYTES = Buffer.from(`{"x":"${'x'.repeat(10_000_000)}"}`)

/** Operations with a limit below 10 MB, one for each limit and kind of caller: nothing else makes a difference. */
const bounded = operationsWithBody.filter(({ operation }) => (operation.limit ?? BODY_MAX_BYTES) < 10_000_000)
const firstOfEachBound = [
  ...Map.groupBy(bounded, ({ operation: { limit = BODY_MAX_BYTES, audience } }) => `${limit} ${audience}`).values(),
].flatMap((same) => same.slice(0, 1))

describe.each(firstOf(testableEngines()))('on %s', (engine) => {
  const platform = sharedPlatform({ engine })
  const happyRequest = async (id: string) => (await happyRequests[id]?.(platform())) ?? {}

  beforeAll(() => withoutWebhooks(platform().services.db))
  beforeAll(() => anyMember(platform()))

  test.for(operationsWithBody.map((one, turn) => ({ ...one, turn })))(
    '$id refuses each hostile body that it gets with its own code, and a huge number in the place of any value, and changes nothing',
    async ({ id, operation, turn }) => {
      const { body, ...sent } = await happyRequest(id)
      const before = await tableDigests(platform().services.db)
      const given = hostile.filter((_, index) => index % EVERY_NTH === turn % EVERY_NTH)
      for (const { what, raw, code, headers = {} } of given) {
        const answer = await sendTo(platform(), operation, { ...sent, raw: raw(JSON.stringify(body)), headers })
        expect([what, answer.status < 500 && answer.error.code]).toEqual([what, code])
        expectRefusal(operation, answer)
      }
      const paths = [...pathsOf(body)].filter((path) => typeof valueAt(body, path) !== 'object')
      for (const [index, path] of paths.entries()) {
        // Each value in turns: none is read as another number before the place that it stands in is looked at.
        for (const huge of soaks ? HUGE : HUGE.slice(index % HUGE.length).slice(0, 1)) {
          const raw = JSON.stringify(putAt(body, path, 'huge number')).replace('"huge number"', huge)
          expectRefusal(operation, await sendTo(platform(), operation, { ...sent, raw }))
        }
      }
      expect(await tableDigests(platform().services.db)).toEqual(before)
    },
  )

  test.for(soaks ? bounded : firstOfEachBound)(
    '$id refuses a body of 10 MB before it has read it',
    async ({ id, operation }) => {
      const { params } = await happyRequest(id)
      const answer = await sendTo(platform(), operation, { params, raw: TEN_MEGABYTES })
      expect(answer.status).toBe(413)
      expectRefusal(operation, answer)
    },
  )

  test.for(operations.filter(({ operation }) => operation.body === undefined))(
    '$id reads no body, so that whatever comes as one changes nothing about its answer',
    async ({ id, operation }) => {
      const sent = await happyRequest(id)
      const raw = '{"half'
      const headers = { 'Content-Length': Buffer.byteLength(raw) }
      const answer = await sendTo(platform(), operation, { ...sent, raw, headers })
      expect(answer.status, answer.text).toBe(operation.status)
    },
  )
})
