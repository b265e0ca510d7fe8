import { expect, test } from 'vitest'
import { contract } from './contract.ts'
import { errorKinds } from './errors.ts'
import { eventTypes } from './event-types.ts'
import { openApi } from './openapi.ts'
import type { Operation } from './operation.ts'

const document = openApi('1.2.3', ['http://localhost:4400'])

interface Described {
  operationId: string
  tags: string[]
  security: object[]
  parameters: { name: string; in: string; required: boolean; schema: object }[]
  requestBody?: { content: object }
  responses: Record<string, { description: string; content: object }>
}

const operations = Object.entries(contract).flatMap(([group, named]) =>
  Object.entries<Operation>(named).map(([name, operation]) => ({ id: `${group}.${name}`, operation })),
)

function described({ method, path }: Operation): Described {
  return document.paths[path]?.[method.toLowerCase()] as Described // what this file is about to check
}

test('the document says which version of OpenAPI and of the platform it is', () => {
  expect(document).toMatchObject({
    openapi: '3.1.1',
    info: { version: '1.2.3' },
    servers: [{ url: 'http://localhost:4400' }],
  })
})

test('the document is plain JSON', () => {
  expect(JSON.parse(JSON.stringify(document))).toEqual(document)
})

test('every reference leads to a part of the document', () => {
  const references = [...walk(document)].flatMap(({ value }) => (hasReference(value) ? [value.$ref] : []))
  expect(references.length).toBeGreaterThan(20)
  for (const reference of references) {
    expect(reference).toMatch(/^#\/components\/schemas\/\w+$/)
    expect(at(reference), reference).toBeTypeOf('object')
  }
})

test('no schema keeps what belongs to a document of its own', () => {
  for (const { key, path } of walk(document)) expect(['$schema', '$defs', '$id'], path).not.toContain(key)
})

test('every schema of the components is used', () => {
  const text = JSON.stringify(document)
  const { schemas } = document['components'] as { schemas: object } // as openApi() writes it
  for (const name of Object.keys(schemas)) expect(text).toContain(`"#/components/schemas/${name}"`)
})

test('every operation has an id of its own', () => {
  const ids = operations.map(({ operation }) => described(operation).operationId)
  expect(ids).toEqual(operations.map(({ id }) => id))
})

test.for(operations)('$id describes its parameters, its body and its success', ({ operation }) => {
  const { parameters, requestBody, responses, security } = described(operation)
  const inPath = parameters.filter((parameter) => parameter.in === 'path')
  expect(inPath.map(({ name }) => name)).toEqual(Object.keys(operation.params?.shape ?? {}))
  expect(inPath.every(({ required }) => required)).toBe(true)
  expect(requestBody !== undefined).toBe(operation.body !== undefined)
  expect(Object.keys(responses)).toContain(String(operation.status))
  expect(security).toEqual([operation.audience === 'frame' ? { publishableKey: [] } : { apiKey: [] }])
})

test.for(operations)('$id describes every error that it can be answered with', ({ operation }) => {
  const { responses } = described(operation)
  const onTheWay = ['api_key_missing', 'rate_limit_exceeded', 'internal', 'unavailable'] as const
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

test('every error has the shape of an error', () => {
  const content = { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } }
  for (const { operation } of operations) {
    for (const [status, response] of Object.entries(described(operation).responses)) {
      if (Number(status) >= 400) expect(response.content).toEqual(content)
    }
  }
})

test('amounts are whole numbers in the document too', () => {
  const { schemas } = document['components'] as { schemas: { Payment: { properties: { amount: object } } } } // as above
  expect(schemas.Payment.properties.amount).toMatchObject({ type: 'integer', minimum: 0 })
})

test('every event is described as a webhook', () => {
  expect(Object.keys(document['webhooks'] ?? {})).toEqual(Object.keys(eventTypes))
  for (const webhook of Object.values(document['webhooks'] ?? {}))
    expect(webhook).toMatchObject({ post: { security: [] } })
})

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
