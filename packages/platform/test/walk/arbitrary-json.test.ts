import type { Operation } from '@tillwright/contract'
import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import { firstOf, soaks } from '../../../../.ci/soaks.ts'
import { happyRequests } from '../happy-requests.ts'
import type { Answer } from '../send-request.ts'
import { sharedPlatform, testableEngines } from '../test-platform.ts'
import { pathsOf, putAt } from './at-path.ts'
import { expectBlamesSent, expectRefusal } from './expect-refusal.ts'
import { isSuccess, operations } from './operations.ts'
import { anyMember, sendTo, type SentParts } from './send-to.ts'
import { tableDigests, withoutWebhooks } from './table-digests.ts'

/** How long an answer may take. */
const ANSWER_MAX_MS = 1_000
const RUNS = soaks ? { sqlite: 100, postgres: 30 } : { sqlite: 1, postgres: 1 }
/** Runs of inputs that reach the operation's own code; most others are refused by code that all operations share. */
const NEAR_RUNS = soaks ? RUNS : { sqlite: 3, postgres: 3 }

const anyJson = fc.jsonValue({ maxDepth: 4 })

/** One dot and two are no ids but steps of an address, which the client resolves. */
const addressText = fc
  .string({ unit: 'grapheme', minLength: 1, maxLength: 140 })
  .filter((value) => !/^\.{1,2}$/.test(value))

/** A good body in which some values were replaced by anything, chosen by number among all values of the body. */
function nearValid(body: unknown): fc.Arbitrary<unknown> {
  const replaced = fc.array(fc.tuple(fc.nat(), anyJson), { minLength: 1, maxLength: 3 })
  return replaced.map((changes) =>
    changes.reduce<unknown>((changed, [chosen, value]) => {
      const paths = [...pathsOf(changed)]
      return putAt(changed, paths[chosen % paths.length] ?? [], value)
    }, body),
  )
}

describe.each(firstOf(testableEngines()))('on %s', (engine) => {
  const platform = sharedPlatform({ engine })
  let digests: Record<string, string>

  beforeAll(() => withoutWebhooks(platform().services.db))
  beforeAll(() => anyMember(platform()))

  async function timed(operation: Operation, sent: SentParts): Promise<{ answer: Answer; ms: number }> {
    const startMs = performance.now()
    const answer = await sendTo(platform(), operation, sent)
    return { answer, ms: performance.now() - startMs }
  }

  /** Whatever was sent: success or a refusal of the contract, soon, and a refusal has changed nothing. */
  async function expectGoodManners(operation: Operation, sent: SentParts): Promise<void> {
    const { answer, ms } = await timed(operation, sent)
    const after = await tableDigests(platform().services.db)
    // A busy machine may be slow once; an inherently slow request is slow again.
    if (ms > ANSWER_MAX_MS) expect((await timed(operation, sent)).ms).toBeLessThan(ANSWER_MAX_MS)
    if (!isSuccess(operation, answer)) {
      expectRefusal(operation, answer)
      expectBlamesSent(answer, sent)
    }
    const refused = answer.status >= 400 && answer.status !== 402 // a declined payment is on record
    if (refused) expect(after).toEqual(digests)
    digests = after
  }

  // One test of an operation for all, because its good request, and to read all tables after it, is what takes time.
  test.for(operations.filter(({ operation }) => operation.body ?? operation.params ?? operation.query))(
    '$id takes any JSON, any bytes, a good body with anything in it and any text in its address, or refuses it and changes nothing',
    async ({ id, operation }) => {
      const sent = (await happyRequests[id]?.(platform())) ?? {}
      digests = await tableDigests(platform().services.db)
      const tryAll = <Sent>(values: fc.Arbitrary<Sent>, partsOf: (value: Sent) => SentParts, numRuns = RUNS[engine]) =>
        fc.assert(
          fc.asyncProperty(values, (value) => expectGoodManners(operation, { ...sent, ...partsOf(value) })),
          { numRuns },
        )
      if (operation.body !== undefined) {
        await tryAll(anyJson, (body) => ({ body }))
        await tryAll(nearValid(sent.body), (body) => ({ body }), NEAR_RUNS[engine])
        await tryAll(fc.uint8Array({ maxLength: 60 }), (raw) => ({ raw }))
      }
      const names = namesIn(operation)
      if (names.length === 0) return
      const places = fc.tuple(fc.constantFrom(...names), addressText)
      await tryAll(places, ([[part, name], value]) => ({ [part]: { ...sent[part], [name]: value } }))
    },
  )

  test('nothing that was sent made the service fail', () => {
    expect(platform().logged.filter((line) => line.includes('request failed'))).toEqual([])
  })
})

function namesIn({ params, query }: Operation): (readonly ['params' | 'query', string])[] {
  return [
    ...Object.keys(params?.shape ?? {}).map((name) => ['params', name] as const),
    ...Object.keys(query?.shape ?? {}).map((name) => ['query', name] as const),
  ]
}
