import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import { expect, test } from 'vitest'
import type { Content, Reference } from './document.ts'
import { openApi } from './openapi.ts'

type Json = Record<string, unknown>

/** One example of the document, with the schema that it belongs to. */
interface Shown {
  place: string
  schema: Json
  example: unknown
}

const document = openApi('1.2.3', ['https://api.tillwright.test'], ['https://vault.tillwright.test'])
const shown = [...examplesIn(document)]

test('there are examples of every operation and every event', () => {
  expect(shown.length).toBeGreaterThan(300)
})

test('every example of the document fits its own schema', () => {
  // A schema that others refer to is compiled once, not again into each of them.
  const ajv = new Ajv2020({ strict: false, validateFormats: false, inlineRefs: false })
  ajv.addSchema({ $id: 'openapi', ...document })
  const compiled = new Map<string, ValidateFunction>()
  const invalid = shown.flatMap(({ place, schema, example }) => {
    const text = JSON.stringify(schema).replaceAll('"#/', '"openapi#/')
    const validate = compiled.get(text) ?? ajv.compile(JSON.parse(text))
    compiled.set(text, validate)
    return validate(example) ? [] : [`${place}: ${ajv.errorsText(validate.errors)}`]
  })
  expect(invalid).toEqual([])
})

test('no example contradicts itself', () => {
  const contradictions = shown.flatMap(({ place, example }) =>
    [...objectsIn(example)].flatMap((object) => wrongIn(object).map((wrong) => `${place}: ${wrong}`)),
  )
  expect(contradictions).toEqual([])
})

test('an id of one kind is the same in every example', () => {
  const text = JSON.stringify(shown.map(({ example }) => example))
  const ids = new Map<string, Set<string>>()
  for (const [, kind = '', tail = ''] of text.matchAll(/"([a-z]+|3ds)_([0-9A-Za-z]{22})"/g))
    ids.set(kind, (ids.get(kind) ?? new Set()).add(tail))
  expect(ids.size).toBeGreaterThan(20)
  expect([...ids].filter(([, all]) => all.size > 1).map(([kind]) => kind)).toEqual([])
})

test('every parameter has an example for importers to fill in, and no two operations one idempotency key', () => {
  const parameters = Object.values(document.paths).flatMap((methods) =>
    Object.values(methods).flatMap((operation) => operation.parameters),
  )
  expect(parameters.filter(({ example }) => example === undefined).map(({ name }) => name)).toEqual([])
  const keys = parameters.filter(({ name }) => name === 'Idempotency-Key').map(({ example }) => example)
  expect(keys.length).toBeGreaterThan(60)
  expect(new Set(keys).size).toBe(keys.length)
})

/**
 * Fields that an answer repeats from its request. `amount` of a capture is a part of the payment's, and the answer to a
 * change of a variant is its product.
 */
const repeated = [
  'currency',
  'name',
  'code',
  'storeId',
  'customerId',
  'paymentInstrumentId',
  'status',
  'kind',
  'reason',
  'serviceToken',
]

test('an answer repeats what its request names', () => {
  const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods))
  const differing = operations.flatMap(({ operationId, requestBody, responses }) => {
    const [request, answer] = [exampleOf(requestBody), exampleOf(responses['200'] ?? responses['201'])]
    return repeated
      .filter((name) => name in request && name in answer)
      .filter((name) => JSON.stringify(request[name]) !== JSON.stringify(answer[name]))
      .map((name) => `${operationId}: ${name}`)
      .filter((place) => !place.startsWith('variants.'))
  })
  expect(differing).toEqual([])
})

function wrongIn(object: Json): string[] {
  const has = (...names: string[]) => names.every((name) => name in object)
  const number = (name: string) => Number(object[name] ?? 0)
  const sum = (list: unknown, name: string) => (list as Json[]).reduce((total, item) => total + Number(item[name]), 0)
  const rules: [boolean, () => boolean, string][] = [
    [
      has('nextAction', 'requireAction'),
      () => (object['nextAction'] === null) === (object['requireAction'] === 'none'),
      'nextAction without requireAction',
    ],
    [
      has('nextAction', 'status'),
      () => (object['nextAction'] === null) === (object['status'] !== 'requires_action'),
      'nextAction of a payment that waits for nothing',
    ],
    [
      has('declineCode', 'status'),
      () => object['declineCode'] === null || object['status'] !== 'succeeded',
      'a decline code of a success',
    ],
    [
      has('capturedAmount', 'amount'),
      () => number('capturedAmount') <= number('amount'),
      'more captured than authorized',
    ],
    [
      has('capturedAmount', 'refundedAmount'),
      () => number('refundedAmount') <= number('capturedAmount'),
      'more refunded than captured',
    ],
    [
      has('captures', 'captureMethod'),
      () => object['captureMethod'] === 'automatic' || sum(object['captures'], 'amount') === number('capturedAmount'),
      'captures that do not sum to capturedAmount',
    ],
    [
      has('refunds', 'refundedAmount'),
      () => sum(object['refunds'], 'amount') === number('refundedAmount'),
      'refunds that do not sum to refundedAmount',
    ],
    [
      has('subtotal', 'discountAmount', 'shippingAmount', 'shippingDiscount', 'amount', 'lines'),
      () =>
        number('subtotal') -
          number('discountAmount') +
          number('shippingAmount') -
          number('shippingDiscount') -
          number('deferredAmount') ===
        number('amount'),
      'an order whose amounts do not sum',
    ],
    [
      has('subtotal', 'discountAmount', 'lines'),
      () => sum(object['lines'], 'amount') + number('deferredAmount') === number('subtotal') - number('discountAmount'),
      'lines that do not sum to the order',
    ],
    [
      has('unitAmount', 'quantity', 'discountAmount', 'amount'),
      () =>
        number('unitAmount') * number('quantity') - number('discountAmount') - number('deferredAmount') ===
        number('amount'),
      'a line whose amounts do not sum',
    ],
    [
      has('promotions', 'discountAmount'),
      () =>
        sum((object['promotions'] as Json)['applied'], 'saving') ===
        number('discountAmount') + number('shippingDiscount'),
      'promotions that do not sum to the discount',
    ],
    [
      has('paidAt', 'status'),
      () => (object['paidAt'] === null) === (object['status'] === 'pending'),
      'paidAt of an unpaid order',
    ],
    [
      has('closedAt', 'status'),
      () => (object['closedAt'] === null) === (object['status'] === 'open'),
      'closedAt of an open dispute',
    ],
    [
      has('canceledAt', 'status'),
      () => object['canceledAt'] === null || object['status'] === 'canceled',
      'canceledAt of an active subscription',
    ],
    [
      has('createdAt', 'updatedAt'),
      () => String(object['createdAt']) <= String(object['updatedAt']),
      'an update before the creation',
    ],
    [
      has('createdAt', 'expiresAt'),
      () => String(object['createdAt']) < String(object['expiresAt']),
      'an expiry before the creation',
    ],
    [
      has('currentPeriodStart', 'currentPeriodEnd'),
      () => String(object['currentPeriodStart']) < String(object['currentPeriodEnd']),
      'an empty period',
    ],
    [
      has('transStatus', 'status', 'acsChallengeUrl'),
      () => object['acsChallengeUrl'] === null || object['transStatus'] === 'C',
      'a challenge of a finished authentication',
    ],
    [
      has('transStatus', 'outcome', 'provider'),
      () => object['status'] === 'successful',
      'an outcome of a session that is not over',
    ],
    [
      has('totalEvents', 'processedCount'),
      () => number('processedCount') + number('unprocessedCount') === number('totalEvents'),
      'counts that do not sum',
    ],
    [
      has('hasMore', 'nextCursor'),
      () => object['hasMore'] === false || object['nextCursor'] !== null,
      'a next page without a cursor',
    ],
    [
      has('isPreview', 'preview'),
      () => (object['preview'] === null) === (object['isPreview'] === false),
      'preview options outside a preview',
    ],
  ]
  return rules.filter(([applies, holds]) => applies && !holds()).map(([, , wrong]) => wrong)
}

function* objectsIn(value: unknown): Generator<Json> {
  if (typeof value !== 'object' || value === null) return
  if (!Array.isArray(value)) yield value as Json
  for (const inner of Object.values(value)) yield* objectsIn(inner)
}

/** Every media type of the document with one example or several; those of errors are shared. */
function* examplesIn(value: unknown, place = ''): Generator<Shown> {
  if (typeof value !== 'object' || value === null) return
  const { schema, example, examples } = value as Json
  if (typeof schema === 'object' && schema !== null) {
    if (example !== undefined) yield { place, schema: schema as Json, example }
    if (typeof examples === 'object' && examples !== null && !Array.isArray(examples)) {
      for (const [name, each] of Object.entries(examples))
        yield { place: `${place}/${name}`, schema: schema as Json, example: targetOf(each).value }
    }
  }
  for (const [name, inner] of Object.entries(value)) yield* examplesIn(inner, `${place}/${name}`)
}

function targetOf(each: unknown): { value: unknown } {
  const { $ref } = each as Reference // as errorResponses() writes it
  return document.components.examples[$ref.split('/').at(-1) ?? ''] ?? { value: undefined }
}

function exampleOf(body: { content?: Content } | undefined): Json {
  return Object(body?.content?.['application/json']?.example)
}
