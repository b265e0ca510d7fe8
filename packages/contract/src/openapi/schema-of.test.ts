import { expect, test } from 'vitest'
import { z } from 'zod'
import type { Components } from './document.ts'
import { schemaOf } from './schema-of.ts'

const plain = z.object({ name: z.string() }).meta({ id: 'SchemaOfPlain' })
const defaulted = z.object({ weight: z.int().default(1), plain }).meta({ id: 'SchemaOfDefaulted' })
const outer = z.object({ inner: defaulted.meta({ description: 'What is inside.' }) })

test('a schema with an id is defined once, in the components, and referenced', () => {
  const schemas: Components['schemas'] = {}
  expect(schemaOf(z.array(plain), 'input', schemas)).toMatchObject({
    items: { $ref: '#/components/schemas/SchemaOfPlain' },
  })
  expect(schemaOf(plain, 'output', schemas)).toEqual({ $ref: '#/components/schemas/SchemaOfPlain' })
  expect(Object.keys(schemas)).toEqual(['SchemaOfPlain'])
})

test('responses have all their fields', () => {
  const schemas: Components['schemas'] = {}
  schemaOf(outer, 'output', schemas)
  expect(schemas['SchemaOfDefaulted']).toMatchObject({ required: ['weight', 'plain'] })
})

test('the document allows responses to get further fields', () => {
  expect(schemaOf(z.object({}), 'output', {})).toEqual({ type: 'object', properties: {} })
  expect(schemaOf(z.strictObject({}), 'input', {})).toMatchObject({ additionalProperties: false })
})

test('fields with a default are optional in requests, which are described inline', () => {
  const schemas: Components['schemas'] = {}
  const { properties } = schemaOf(outer, 'input', schemas)
  expect(properties).toMatchObject({ inner: { description: 'What is inside.', required: ['plain'] } })
  expect(schemas).not.toHaveProperty('SchemaOfDefaulted')
})

test.for([
  ['a string that may be null', z.string().max(3).nullable(), { type: ['string', 'null'], maxLength: 3 }],
  [
    'one of several strings, or null',
    z.enum(['a', 'b']).nullable(),
    { type: ['string', 'null'], enum: ['a', 'b', null] },
  ],
  ['an address', z.url(), { type: 'string', format: 'uri' }],
  ['an integer', z.int(), { type: 'integer' }],
  [
    'an object with arbitrary names',
    z.record(z.string(), z.boolean()),
    { type: 'object', additionalProperties: { type: 'boolean' } },
  ],
] as const)('%s has a short schema', ([, schema, said]) => {
  expect(schemaOf(schema, 'output', {})).toEqual(said)
})

test('the description of a nullable field is the description of the whole', () => {
  const something = z.object({}).meta({ description: 'Something.', examples: [{}] })
  expect(schemaOf(something.nullable(), 'output', {})).toMatchObject({ description: 'Something.', examples: [{}] })
  const whole = schemaOf(something.nullable().meta({ description: 'The whole.' }), 'output', {})
  expect(whole).toMatchObject({ description: 'The whole.' })
})

test('an example that only repeats the default is left out; null is an example of its own', () => {
  const repeated = schemaOf(
    z
      .int()
      .default(1)
      .meta({ examples: [1] }),
    'input',
    {},
  )
  expect(repeated).toEqual({ type: 'integer', default: 1 })
  expect(
    schemaOf(
      z
        .string()
        .nullable()
        .meta({ examples: [null] }),
      'output',
      {},
    ),
  ).toMatchObject({ examples: [null] })
})
