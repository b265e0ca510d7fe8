import type { Operation } from '@tillwright/contract'
import { beforeAll, describe, expect, test } from 'vitest'
import { happyRequests } from '../happy-requests.ts'
import { secondAccount } from '../second-account.ts'
import type { Answer } from '../send-request.ts'
import { sharedPlatform, ruleEngines, type TestPlatform } from '../test-platform.ts'
import { idsIn, idsOfAccount } from './account-ids.ts'
import { pathsOf, valueAt } from './at-path.ts'
import { caseRequests } from './case-request.ts'
import { kindByName, kindOf, nameOf, type Reference, referencesOf, requestWith } from './foreign-requests.ts'
import { isSuccess, operations } from './operations.ts'
import { sendTo, type SentParts } from './send-to.ts'
import { tableDigests, withoutWebhooks } from './table-digests.ts'

/** Operations of tenants. Those of the platform's operator concern all accounts, and no other account may call them. */
const tenants = operations.filter(({ operation }) => operation.operator !== true)
const operators = operations.filter(({ operation }) => operation.operator === true)

const references = operations.flatMap(({ id, operation }) =>
  referencesOf(operation).map((reference) => ({ id, operation, reference, path: reference.path })),
)

test('a field that is named after an object is marked as a reference, unless its form shows that it is an id to be given', () => {
  const unmarked = operations.flatMap(({ id, operation }) => {
    const cases = caseRequests(operation)
    const pathsOfRule = (rule: string) => cases.filter((one) => one.rule === rule).map(({ path }) => path)
    const known = [...references.filter((one) => one.id === id).map(({ path }) => path), ...pathsOfRule('pattern')]
    const texts = cases.filter(({ rule, steps }) => rule === 'maxLength' && /Ids?$/.test(nameOf({ steps })))
    const named = texts.filter(({ steps }) => kindByName(nameOf({ steps })) !== null)
    return named
      .filter(({ path }) => !known.includes(path))
      .map(({ path }) => `${id} ${path}: make it of \`reference\``)
  })
  expect(unmarked).toEqual([])
  expect(references.length).toBeGreaterThanOrEqual(15)
})

describe.each(ruleEngines())('on %s', (engine) => {
  const platform = sharedPlatform({ engine })
  let other: TestPlatform
  let own: Map<string, string[]>
  let foreign: Map<string, string[]>
  /** Values in the other account's answers, by field name: some objects have ids that do not tell their kind. */
  const theirValues = new Map<string, string>()
  const good = new Map<string, SentParts>()

  beforeAll(async () => {
    const { services, local } = platform()
    other = await secondAccount(platform())
    await withoutWebhooks(services.db)
    for (const { id, operation } of tenants) {
      const answer = await sendTo(other, operation, (await happyRequests[id]?.(other)) ?? {})
      if (!isSuccess(operation, answer)) throw new Error(`${id} fails for the second account: ${answer.text}`)
      for (const [name, value] of textsIn(answer.body)) theirValues.set(name, value)
      good.set(id, (await happyRequests[id]?.(platform())) ?? {})
    }
    // Endpoints of the walk are there to be named; nothing is sent to them.
    await services.db.write([{ sql: 'DELETE FROM webhook_deliveries', params: [] }])
    own = await idsOfAccount(local, services.db)
    foreign = await idsOfAccount(other.local, services.db)
  })

  test.for(operators)(
    '$id tells another account nothing but that it is not the operator',
    async ({ id, operation }) => {
      const answer = await sendTo(other, operation, (await happyRequests[id]?.(other)) ?? {})
      expect([answer.status, answer.error.code]).toEqual([403, 'operator_required'])
      expect(foreignIdsIn(answer, {})).toEqual([])
    },
  )

  test.for(tenants)('$id tells nothing of another account', async ({ id, operation }) => {
    const answer = await sendTo(platform(), operation, (await happyRequests[id]?.(platform())) ?? {})
    expect(isSuccess(operation, answer), answer.text).toBe(true)
    expect(foreignIdsIn(answer, {})).toEqual([])
  })

  test.for(references)(
    '$id finds nothing of another account by $path and changes nothing',
    async ({ id, operation, reference }) => {
      const sent = good.get(id) ?? {}
      const kind = kindOf(reference, sent) ?? expect.fail('its kind cannot be told: name it after what it refers to')
      const foreignId = foreign.get(kind)?.at(-1) ?? theirValues.get(nameOf(reference)) ?? expect.fail('they have none')
      const read = (part: unknown) => operation[reference.part]?.safeParse(part).data
      const dependencies = { good: sent, own, read }
      const before = await tableDigests(platform().services.db)
      const request = requestWith(reference, foreignId, dependencies)
      const answer = await sendTo(platform(), operation, request)
      const unknownId = `${kind}_${'0'.repeat(22)}`
      const unknown = await sendTo(platform(), operation, requestWith(reference, unknownId, dependencies))
      expectNotFound(answer, operation, reference)
      expect(contentOf(answer, foreignId)).toEqual(contentOf(unknown, unknownId))
      expect(foreignIdsIn(answer, request)).toEqual([])
      expect(await tableDigests(platform().services.db)).toEqual(before)
    },
  )

  /** The other account's ids in an answer, but for those that were sent. */
  function foreignIdsIn({ text, headers }: Answer, sent: SentParts): string[] {
    const theirs = new Set([...foreign.values()].flat())
    for (const id of idsIn(JSON.stringify(sent))) theirs.delete(id)
    return idsIn(text + JSON.stringify(headers)).filter((id) => theirs.has(id))
  }
})

/**
 * A 404 that names the field. What only filters may find nothing instead, and a field that repeats one of the address may
 * be refused because it contradicts it.
 */
function expectNotFound(answer: Answer, operation: Operation, { part, path }: Reference): void {
  const isFilter = operation.emits === undefined && part !== 'params' && isSuccess(operation, answer)
  if (isFilter) return
  const repeats = part === 'body' && Object.hasOwn(operation.params?.shape ?? {}, path)
  const expected = repeats ? [400, 'parameter_invalid'] : [404, 'resource_missing']
  expect([answer.status, answer.status < 400 || answer.error.code], answer.text).toEqual(expected)
  if (part !== 'params') expect(answer.error.param).toBe(path)
}

/** The fields of an answer that hold text, at any depth. */
function textsIn(body: unknown): [name: string, value: string][] {
  return [...pathsOf(body)].flatMap((path): [string, string][] => {
    const [name, value] = [path.at(-1), valueAt(body, path)]
    return typeof name === 'string' && typeof value === 'string' ? [[name, value]] : []
  })
}

/** The content of an answer, without the id that was sent and the request's own id. */
function contentOf({ status, text }: Answer, id: string): { status: number; text: string } {
  return { status, text: text.replaceAll(id, '(sent)').replaceAll(/req_[0-9A-Za-z]{22}/g, '(request)') }
}
