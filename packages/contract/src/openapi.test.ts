import { expect, test } from 'vitest'
import { byteOperations } from './byte-operations.ts'
import { contract } from './contract.ts'
import { errorBody } from './error-body.ts'
import { errorKinds } from './errors.ts'
import type { DescribedOperation, Response } from './openapi/document.ts'
import { openApi } from './openapi/openapi.ts'
import type { Audience, Operation } from './operation.ts'
import { eventTypes } from './resources/event-types.ts'

const document = openApi('1.2.3', ['http://localhost:4400'], ['http://localhost:4401'])
const { examples, headers, schemas } = document.components

const operations = [...Object.entries(contract), ...Object.entries(byteOperations)].flatMap(([group, named]) =>
  Object.entries<Operation>(named).map(([name, operation]) => ({ id: `${group}.${name}`, operation })),
)

function described({ method, path }: Operation): DescribedOperation {
  const found = document.paths[path]?.[method.toLowerCase()]
  if (found === undefined) throw new Error(`The document has no ${method} ${path}.`)
  return found
}

test('the document has the versions of OpenAPI and of the platform', () => {
  expect(document).toMatchObject({
    openapi: '3.1.1',
    info: { version: '1.2.3' },
    servers: [{ url: 'http://localhost:4400' }],
  })
})

test('the document is plain JSON', () => {
  expect(JSON.parse(JSON.stringify(document))).toEqual(document)
})

test('every reference has a target in the document', () => {
  const references = [...walk(document)].flatMap(({ value }) => (hasReference(value) ? [value.$ref] : []))
  expect(references.length).toBeGreaterThan(20)
  for (const reference of references) {
    expect(reference).toMatch(/^#\/components\/(schemas|headers|examples)\/[\w-]+$/)
    expect(at(reference), reference).toBeTypeOf('object')
  }
})

test('no schema keeps keywords of a standalone document', () => {
  for (const { key, path } of walk(document)) expect(['$schema', '$defs', '$id'], path).not.toContain(key)
})

test('every component is used', () => {
  const text = JSON.stringify(document)
  for (const [kind, shared] of Object.entries({ schemas, headers, examples })) {
    for (const name of Object.keys(shared)) expect(text).toContain(`"#/components/${kind}/${name}"`)
  }
})

test('every operation has a unique id', () => {
  const ids = operations.map(({ operation }) => described(operation).operationId)
  expect(ids).toEqual(operations.map(({ id }) => id))
})

/** How callers in browsers authenticate. */
const callers: Partial<Record<Audience, string>> = {
  console: 'signIn',
  frame: 'publishableKey',
  page: 'publishableKey',
  session: 'sessionToken',
}

test.for(operations)('$id describes its parameters, body and response', ({ operation }) => {
  const { parameters, requestBody, responses, security } = described(operation)
  const inPath = parameters.filter((parameter) => parameter.in === 'path')
  expect(inPath.map(({ name }) => name)).toEqual(Object.keys(operation.params?.shape ?? {}))
  expect(inPath.every(({ required }) => required)).toBe(true)
  expect(requestBody !== undefined).toBe(operation.body !== undefined || operation.bytes === true)
  expect(Object.keys(responses)).toContain(String(operation.status))
  expect(security).toEqual([{ [callers[operation.audience] ?? 'apiKey']: [] }])
})

const unauthenticated = { session: 'session_token_missing', console: 'sign_in_required' } as Partial<
  Record<Audience, 'session_token_missing' | 'sign_in_required'>
>

test.for(operations)('$id describes every error that it can return', ({ operation }) => {
  const { responses } = described(operation)
  const anonymous = unauthenticated[operation.audience] ?? 'api_key_missing'
  const onTheWay = [anonymous, 'rate_limit_exceeded', 'internal', 'unavailable'] as const
  const ofBody = ['json_invalid', 'parameter_missing', 'body_too_large', 'content_type_unsupported'] as const
  const ofKey = ['idempotency_key_invalid', 'idempotency_key_reused', 'idempotency_key_in_use'] as const
  const codes = [
    ...operation.errors,
    ...onTheWay,
    ...(operation.body === undefined ? [] : ofBody),
    ...(operation.idempotent === undefined ? [] : ofKey),
    ...(operation.params === undefined && operation.query === undefined ? [] : (['parameter_invalid'] as const)),
    ...(operation.audience === 'admin' ? (['role_required'] as const) : []),
    ...(operation.scope === undefined ? [] : (['scope_missing'] as const)),
  ]
  for (const code of codes) expect(responses[errorKinds[code].status]?.description, code).toContain(`\`${code}\``)
})

test.for(operations)('$id has the error shape and an example for each of its errors', ({ operation }) => {
  for (const [status, { description, content }] of errorsOf(operation)) {
    const { schema, examples: referred = {} } = content?.['application/json'] ?? {}
    expect(schema).toEqual({ $ref: '#/components/schemas/Error' })
    const named = [...description.matchAll(/^- `(\w+)`: \S/gm)].map(([, code]) => code)
    expect(named.length).toBeGreaterThan(0)
    expect(Object.keys(referred)).toEqual(named)
    for (const code of named) expect(errorKinds).toHaveProperty(code ?? '', expect.objectContaining({ status }))
  }
})

test('the example of an error is a possible response', () => {
  for (const [code, { value }] of Object.entries(examples)) {
    const body = errorBody.parse(value)
    expect(body).toEqual(value)
    expect(body.error).toMatchObject({ code, docUrl: `http://localhost:4400/docs/errors#${code}` })
    expect(body.code).toBe(errorKinds[code as keyof typeof errorKinds].class)
  }
})

test.for(operations)('$id lists the headers of each response', ({ operation }) => {
  const { responses } = described(operation)
  const headersOf = (status: number) => Object.keys(responses[status]?.headers ?? {})
  const quota = ['X-Request-Id', 'RateLimit', 'RateLimit-Policy']
  expect(headersOf(operation.status)).toEqual(expect.arrayContaining(quota))
  expect(headersOf(401)).toEqual(['X-Request-Id', 'WWW-Authenticate'])
  expect(headersOf(429)).toEqual([...quota, 'Retry-After'])
  expect(headersOf(503)).toEqual([...quota, 'Retry-After'])
  const replayed = [operation.status, 400].map((status) => headersOf(status).includes('Idempotent-Replayed'))
  const idempotent = operation.idempotent !== undefined
  expect(replayed).toEqual([idempotent, idempotent])
  expect(headersOf(409).includes('Retry-After')).toBe(idempotent)
  expect(headersOf(operation.status).includes('Link')).toBe(operation.headers?.includes('Link') ?? false)
})

test('reads by id take an entity tag and may answer 304 without a body, and nothing else does', () => {
  const ofObjects = operations.filter(({ operation }) => described(operation).responses[304] !== undefined)
  expect(ofObjects.map(({ id }) => id)).toEqual(
    expect.arrayContaining(['products.get', 'payments.get', 'disputes.get']),
  )
  for (const { operation } of ofObjects) {
    expect([operation.method, operation.path]).toEqual(['GET', expect.stringContaining('{')])
    const { responses } = described(operation)
    for (const status of [200, 304]) expect(Object.keys(responses[status]?.headers ?? {})).toContain('ETag')
    expect(responses[304]).not.toHaveProperty('content')
  }
  const taking = operations.filter(({ operation }) =>
    described(operation).parameters.some(({ name }) => name === 'If-None-Match'),
  )
  expect(taking).toEqual(ofObjects)
})

test.for(operations)('$id describes who may call it and what it emits', ({ operation }) => {
  const { description } = described(operation)
  if (operation.scope !== undefined) expect(description).toContain(`\`${operation.scope}\``)
  if (operation.audience === 'admin') expect(description).toContain('`org:admin`')
  for (const type of operation.emits ?? []) expect(description).toContain(`\`${type}\``)
})

test("the card frame's operations are on the vault’s origin, all others on the API’s", () => {
  for (const { operation } of operations) {
    const vault = operation.audience === 'frame' ? [{ url: 'http://localhost:4401' }] : undefined
    expect(described(operation).servers).toEqual(vault)
  }
})

test('amounts are integers in the document too', () => {
  expect(schemas['Payment']).toMatchObject({ properties: { amount: { type: 'integer', minimum: 0 } } })
})

test('a field with a default is optional in requests and always present in responses', () => {
  const { requestBody } = described(contract.paymentFlows.create)
  const sent = { properties: { data: { properties: { processorConfigs: { items: { required: ['processorId'] } } } } } }
  expect(requestBody?.content).toMatchObject({ 'application/json': { schema: sent } })
  const answered = ['processorId', 'weight', 'disabled', 'nonStickable']
  expect(schemas['ProcessorConfig']).toMatchObject({ required: answered })
})

test('every event is described as a webhook', () => {
  expect(Object.keys(document.webhooks)).toEqual(Object.keys(eventTypes))
  for (const webhook of Object.values(document.webhooks)) expect(webhook).toMatchObject({ post: { security: [] } })
})

function errorsOf(operation: Operation): [status: number, response: Response][] {
  return Object.entries(described(operation).responses)
    .map(([status, response]): [number, Response] => [Number(status), response])
    .filter(([status]) => status >= 400)
}

function hasReference(value: unknown): value is { $ref: string } {
  return typeof value === 'object' && value !== null && '$ref' in value && typeof value.$ref === 'string'
}

function* walk(value: unknown, path = '#', key = ''): Generator<{ value: unknown; path: string; key: string }> {
  yield { value, path, key }
  if (typeof value !== 'object' || value === null) return
  for (const [name, inner] of Object.entries(value)) yield* walk(inner, `${path}/${name}`, name)
}

function at(reference: string): unknown {
  return reference
    .slice(2)
    .split('/')
    .reduce<unknown>(
      (inner, step) => (typeof inner === 'object' && inner !== null ? Reflect.get(inner, step) : undefined),
      document,
    )
}

test('an operation that takes a file is documented as such', () => {
  const { requestBody } = described(byteOperations.plugins.uploadAsset)
  expect(Object.keys(requestBody?.content ?? {})).toEqual(['application/octet-stream'])
})
