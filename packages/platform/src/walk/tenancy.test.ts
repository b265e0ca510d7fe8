import type { Operation } from '@tillwright/contract'
import { beforeAll, describe, expect, test } from 'vitest'
import { happyRequests } from '../testing/happy-requests.ts'
import { secondAccount } from '../testing/second-account.ts'
import type { Answer } from '../testing/send-request.ts'
import { sharedPlatform, testableEngines, type TestPlatform } from '../testing/test-platform.ts'
import { idsIn, idsOfAccount } from './testing/account-ids.ts'
import { kindOf, referencesOf, requestWith } from './testing/foreign-requests.ts'
import { operations } from './testing/operations.ts'
import { sendTo, type SentParts } from './testing/send-to.ts'
import { tableDigests, withoutWebhooks } from './testing/table-digests.ts'

const references = operations.flatMap(({ id, operation }) =>
  referencesOf(operation).map((reference) => ({ id, operation, reference, path: reference.path })),
)

test('the contract refers to objects in many places', () => {
  expect(references.length).toBeGreaterThanOrEqual(15)
})

describe.each(testableEngines())('on %s', (engine) => {
  const platform = sharedPlatform({ engine })
  let other: TestPlatform
  let own: Map<string, string[]>
  let foreign: Map<string, string[]>
  const good = new Map<string, SentParts>()

  beforeAll(async () => {
    const { parts, local } = platform()
    other = await secondAccount(platform())
    await withoutWebhooks(parts.db)
    for (const { id, operation } of operations) {
      const answer = await sendTo(other, operation, (await happyRequests[id]?.(other)) ?? {})
      if (answer.status !== operation.status) throw new Error(`${id} fails for the second account: ${answer.text}`)
      good.set(id, (await happyRequests[id]?.(platform())) ?? {})
    }
    own = await idsOfAccount(local, parts.db)
    foreign = await idsOfAccount(other.local, parts.db)
  })

  test.for(operations)('$id tells nothing of another account', async ({ id, operation }) => {
    const answer = await sendTo(platform(), operation, (await happyRequests[id]?.(platform())) ?? {})
    expect(answer.status, answer.text).toBe(operation.status)
    expect(foreignIdsIn(answer, {})).toEqual([])
  })

  test.for(references)(
    '$id finds nothing of another account by $path and changes nothing',
    async ({ id, operation, reference }) => {
      const sent = good.get(id) ?? {}
      const kind = kindOf(reference, sent) ?? expect.fail('its kind cannot be told: name it after what it refers to')
      const foreignId = foreign.get(kind)?.at(-1) ?? expect.fail(`the second account has no "${kind}"`)
      const fits = (value: unknown) => operation[reference.part]?.safeParse(value).success ?? false
      const surroundings = { good: sent, own, fits }
      const before = await tableDigests(platform().parts.db)
      const request = requestWith(reference, foreignId, surroundings)
      const answer = await sendTo(platform(), operation, request)
      const unknownId = `${kind}_${'0'.repeat(22)}`
      const unknown = await sendTo(platform(), operation, requestWith(reference, unknownId, surroundings))
      expectNotFound(answer, { operation, reference })
      expect(told(answer, foreignId)).toEqual(told(unknown, unknownId))
      expect(foreignIdsIn(answer, request)).toEqual([])
      expect(await tableDigests(platform().parts.db)).toEqual(before)
    },
  )

  /** The other account's ids in an answer, but for those that were sent. */
  function foreignIdsIn({ text, headers }: Answer, sent: SentParts): string[] {
    const theirs = new Set([...foreign.values()].flat())
    for (const id of idsIn(JSON.stringify(sent))) theirs.delete(id)
    return idsIn(text + JSON.stringify(headers)).filter((id) => theirs.has(id))
  }
})

/** A 404 that names the field; what only filters may find nothing instead. */
function expectNotFound(
  answer: Answer,
  { operation, reference }: { operation: Operation; reference: { part: string; path: string } },
): void {
  const isFilter = operation.emits === undefined && reference.part === 'body' && answer.status === operation.status
  if (isFilter) return
  expect([answer.status, answer.status === 404 && answer.error.code], answer.text).toEqual([404, 'resource_missing'])
  if (reference.part !== 'params') expect(answer.error.param).toBe(reference.path)
}

/** All that an answer tells, with the id that was sent and the request's own taken out. */
function told({ status, text }: Answer, id: string): { status: number; text: string } {
  return { status, text: text.replaceAll(id, '(sent)').replaceAll(/req_[0-9A-Za-z]{22}/g, '(request)') }
}
