import { contract, errorBody, errorKinds, eventTypes, openApi, type Operation } from '@tillwright/contract'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { addressOf } from '../testing/call-operation.ts'
import type { Answer } from '../testing/send-request.ts'
import { happyRequests } from '../testing/happy-requests.ts'
import { sharedPlatform, testableEngines } from '../testing/test-platform.ts'

const operations = Object.entries(contract).flatMap(([group, named]) =>
  Object.entries<Operation>(named).map(([name, operation]) => ({ id: `${group}.${name}`, operation })),
)
const document = openApi('0', [])

describe.each(testableEngines())('on %s', (engine) => {
  const platform = sharedPlatform({ engine })

  function send(
    operation: Operation,
    { params, query, body, raw }: { params?: object; query?: object; body?: unknown; raw?: string | Uint8Array },
  ): Promise<Answer> {
    const { method, path } = addressOf(operation, { params, query })
    const { local, request, vaultRequest } = platform()
    const payload = raw ?? (body === undefined ? undefined : JSON.stringify(body))
    if (operation.audience === 'frame') return vaultRequest(method, path, { body: payload })
    return request(method, path, { body: payload, key: local.adminApiKey })
  }

  /** A refusal that the contract knows: a 4xx of both shapes, with a code that the document names for the operation. */
  function expectRefusal(operation: Operation, answer: Answer): void {
    expect(answer.status, answer.text).toBeGreaterThanOrEqual(400)
    expect(answer.status, answer.text).toBeLessThan(500)
    expect(errorBody.parse(answer.body)).toEqual(answer.body)
    const { code, type, requestId } = answer.error
    expect(errorKinds).toHaveProperty(code)
    expect([answer.status, type]).toEqual([
      errorKinds[code as keyof typeof errorKinds].status,
      errorKinds[code as keyof typeof errorKinds].type,
    ])
    expect(answer.headers['x-request-id']).toBe(requestId)
    expect(descriptionOf(operation, answer.status)).toContain(`\`${code}\``)
  }

  test.for(operations)(
    '$id answers with its own status and exactly the fields of its schema',
    async ({ id, operation }) => {
      const sent = await happyRequests[id]?.(platform())
      expect(sent, 'a happy request is missing').toBeDefined()
      const answer = await send(operation, sent ?? {})
      expect(answer.status, answer.text).toBe(operation.status)
      expect(operation.response.parse(answer.body)).toEqual(answer.body)
      expect(answer.headers).toMatchObject({
        'content-type': 'application/json; charset=utf-8',
        'x-request-id': expect.stringMatching(/^req_[0-9A-Za-z]{22}$/),
        'cache-control': 'no-store',
        'ratelimit-policy': '"standard";q=100;w=60',
      })
    },
  )

  test.for(operations.filter(({ operation }) => operation.emits !== undefined))(
    '$id emits only what it says, each with the properties of its type',
    async ({ id, operation }) => {
      const sent = (await happyRequests[id]?.(platform())) ?? {}
      const before = new Set((await eventRows()).map((row) => row['id']))
      await send(operation, sent)
      const emitted = (await eventRows()).filter((row) => !before.has(row['id'] ?? null))
      expect(emitted.length).toBeGreaterThan(0)
      for (const row of emitted) {
        const type = String(row['event_type'])
        expect(operation.emits).toContain(type)
        const schema = eventTypes[type as keyof typeof eventTypes] // the line above has made sure
        const properties: unknown = JSON.parse(String(row['properties']))
        expect(schema.parse(properties)).toEqual(properties)
      }
    },
  )

  const eventRows = () => platform().parts.db.read('SELECT id, event_type, properties FROM events', [])

  // A body in which nothing is required may be any object.
  test.for(operations.filter(({ operation }) => operation.body?.safeParse({}).success === false))(
    '$id refuses whatever JSON comes',
    async ({ id, operation }) => {
      const { params = {} } = (await happyRequests[id]?.(platform())) ?? {}
      await fc.assert(
        fc.asyncProperty(anyJson, async (body) => expectRefusal(operation, await send(operation, { params, body }))),
        { numRuns: 15 },
      )
    },
  )

  test.for(operations.filter(({ operation }) => operation.body !== undefined))(
    '$id refuses whatever bytes come',
    async ({ id, operation }) => {
      const { params = {} } = (await happyRequests[id]?.(platform())) ?? {}
      const bytes = fc
        .uint8Array({ minLength: 1, maxLength: 60 })
        .filter((sent) => !/^\s*\d+\s*$/.test(Buffer.from(sent).toString()))
      await fc.assert(
        fc.asyncProperty(bytes, async (raw) => expectRefusal(operation, await send(operation, { params, raw }))),
        { numRuns: 10 },
      )
    },
  )

  test.for(operations.filter(({ operation }) => operation.body !== undefined))(
    '$id answers a good body with one field spoilt or missing as it says, and never with a fault',
    async ({ id, operation }) => {
      const sent = (await happyRequests[id]?.(platform())) ?? {}
      for (const body of spoilt(sent.body)) {
        const answer = await send(operation, { ...sent, body })
        if (answer.status !== operation.status) expectRefusal(operation, answer)
      }
    },
  )

  test.for(operations.filter(({ operation }) => operation.params !== undefined))(
    '$id answers 404 to an id that nobody has, and refuses what cannot be one',
    async ({ id, operation }) => {
      const { body } = (await happyRequests[id]?.(platform())) ?? {}
      const [name = ''] = Object.keys(operation.params?.shape ?? {})
      for (const value of [
        'none',
        'a b',
        '../../x',
        "'; DROP TABLE products; --",
        'ü',
        '%',
        '__proto__',
        '\u{1F600}',
        'x'.repeat(128),
      ]) {
        const answer = await send(operation, { params: { [name]: value }, body })
        expect(answer.status, value).toBe(404)
        expectRefusal(operation, answer)
      }
      for (const value of ['x'.repeat(129), '\0', 'a\0b']) {
        const answer = await send(operation, { params: { [name]: value }, body })
        expectRefusal(operation, answer)
      }
    },
  )

  test('query parameters that no database could keep are refused', async () => {
    for (const query of [
      { after: '\0' },
      { limit: '\0' },
      { limit: '0' },
      { limit: '101' },
      { limit: '1.5' },
      { limit: 'x' },
      { limit: '' },
    ]) {
      const answer = await send(contract.paymentFlows.list, { query })
      expect(answer.status, JSON.stringify(query)).toBe(400)
      expectRefusal(contract.paymentFlows.list, answer)
    }
  })

  test('nothing that was sent made the service fail', () => {
    const failures = platform().logged.filter((line) => line.includes('request failed'))
    expect(failures).toEqual([])
  })
})

const anyJson = fc
  .oneof(
    fc.jsonValue({ maxDepth: 3 }),
    fc.dictionary(
      fc.constantFrom('storeId', 'name', 'data', 'variants', 'serviceToken', 'jwe', 'amount', 'lines', 'id'),
      fc.jsonValue({ maxDepth: 2 }),
    ),
  )
  .filter((value) => !JSON.stringify(value).includes('__proto__'))

/** The body without each of its fields, and with each of them made something else, at every depth. */
function* spoilt(value: unknown): Generator<unknown> {
  for (const other of [null, 0, -1.5, 1e300, '', 'x', 'x'.repeat(6_000), true, [], {}, [null], { toString: 1 }]) {
    yield other
  }
  if (typeof value !== 'object' || value === null) return
  for (const [key, inner] of Object.entries(value)) {
    if (Array.isArray(value)) {
      for (const other of spoilt(inner)) yield value.with(Number(key), other)
    } else {
      const without = Object.fromEntries(Object.entries(value).filter(([other]) => other !== key))
      yield without
      for (const other of spoilt(inner)) yield { ...without, [key]: other }
    }
  }
}

function descriptionOf({ path, method }: Operation, status: number): string {
  const described = document.paths[path]?.[method.toLowerCase()] as {
    responses: Record<string, { description: string }>
  } // as openApi() writes it
  return described.responses[status]?.description ?? `no ${status} is described`
}
