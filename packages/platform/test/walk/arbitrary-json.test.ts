import type { Operation } from '@tillwright/contract'
import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import { firstOf, soaks } from '../../../../.ci/soaks.ts'
import { happyRequests } from '../happy-requests.ts'
import type { Answer } from '../send-request.ts'
import { sharedPlatform, testableEngines } from '../test-platform.ts'
import { pathsOf, putAt } from './at-path.ts'
import { expectBlamesSent, expectRefusal } from './expect-refusal.ts'
import { isSuccess, operations, operationsWithBody } from './operations.ts'
import { anyMember, sendTo, type SentParts } from './send-to.ts'
import { tableDigests, withoutWebhooks } from './table-digests.ts'

/** How long an answer may take. */
const ANSWER_MAX_MS = 1_000
const RUNS = soaks ? { sqlite: 100, postgres: 30 } : { sqlite: 3, postgres: 3 }

const anyJson = fc.jsonValue({ maxDepth: 4 })

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
    // A busy machine may be slow once; a request that is slow by itself is slow again.
    if (ms > ANSWER_MAX_MS) expect((await timed(operation, sent)).ms).toBeLessThan(ANSWER_MAX_MS)
    if (!isSuccess(operation, answer)) {
      expectRefusal(operation, answer)
      expectBlamesSent(answer, sent)
    }
    const refused = answer.status >= 400 && answer.status !== 402 // a declined payment is on record
    if (refused) expect(after).toEqual(digests)
    digests = after
  }

  test.for(operationsWithBody)('$id takes any JSON or refuses it and changes nothing', async ({ id, operation }) => {
    const sent = (await happyRequests[id]?.(platform())) ?? {}
    digests = await tableDigests(platform().services.db)
    const property = fc.asyncProperty(anyJson, (body) => expectGoodManners(operation, { ...sent, body }))
    await fc.assert(property, { numRuns: RUNS[engine] })
  })

  test.for(operationsWithBody)(
    '$id takes a good body with anything in it or refuses it and changes nothing',
    async ({ id, operation }) => {
      const sent = (await happyRequests[id]?.(platform())) ?? {}
      digests = await tableDigests(platform().services.db)
      const property = fc.asyncProperty(nearValid(sent.body), (body) => expectGoodManners(operation, { ...sent, body }))
      await fc.assert(property, { numRuns: RUNS[engine] })
    },
  )

  test.for(operationsWithBody)('$id takes any bytes or refuses them and changes nothing', async ({ id, operation }) => {
    const sent = (await happyRequests[id]?.(platform())) ?? {}
    digests = await tableDigests(platform().services.db)
    const bytes = fc.uint8Array({ maxLength: 60 })
    const property = fc.asyncProperty(bytes, (raw) => expectGoodManners(operation, { ...sent, raw }))
    await fc.assert(property, { numRuns: RUNS[engine] })
  })

  test.for(operations.filter(({ operation }) => operation.params ?? operation.query))(
    '$id takes any text in its address or refuses it and changes nothing',
    async ({ id, operation }) => {
      const sent = (await happyRequests[id]?.(platform())) ?? {}
      digests = await tableDigests(platform().services.db)
      // One dot and two are no ids but steps of an address, which whoever sends it takes.
      const text = fc
        .string({ unit: 'grapheme', minLength: 1, maxLength: 140 })
        .filter((value) => !/^\.{1,2}$/.test(value))
      const place = fc.constantFrom(...namesIn(operation))
      const property = fc.asyncProperty(place, text, ([part, name], value) =>
        expectGoodManners(operation, { ...sent, [part]: { ...sent[part], [name]: value } }),
      )
      await fc.assert(property, { numRuns: RUNS[engine] })
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
