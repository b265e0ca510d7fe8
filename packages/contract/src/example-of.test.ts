import { expect, test } from 'vitest'
import { z } from 'zod'
import { contract } from './contract.ts'
import { exampleOf, type JsonSchema } from './examples.ts'
import type { Operation } from './operation.ts'

const parts = Object.entries(contract).flatMap(([group, named]) =>
  Object.entries<Operation>(named).flatMap(([name, { params, query, body, response }]) =>
    Object.entries({ params, query, body, response }).flatMap(([part, schema]) =>
      schema === undefined ? [] : [{ id: `${group}.${name}`, part, schema }],
    ),
  ),
)

test.for(parts)('the example composed for the $part of $id is one', ({ part, schema }) => {
  const io = part === 'response' ? 'output' : 'input'
  const example = exampleOf(z.toJSONSchema(schema, { io, unrepresentable: 'any' }))
  expect(schema.safeParse(example).error?.issues ?? []).toEqual([])
})

const text = { type: 'string' } as const
const cases: readonly [what: string, schema: JsonSchema, example: unknown][] = [
  ['the first example, before anything else', { ...text, examples: ['b', 'c'], const: 'a', default: 'd' }, 'b'],
  ['a constant', { const: null, default: 1 }, null],
  ['the first of an enumeration, before the default', { enum: ['a', 'b'], default: 'b' }, 'a'],
  ['the default', { type: 'boolean', default: false }, false],
  [
    'all properties, with the examples that stand inside',
    { type: 'object', properties: { a: { ...text, examples: ['x'] }, b: { type: 'boolean' } }, required: ['a'] },
    { a: 'x', b: true },
  ],
  ['one item', { type: 'array', items: { type: 'integer', minimum: 3 } }, [3]],
  ['as many items as there must be', { type: 'array', items: { const: 1 }, minItems: 3 }, [1, 1, 1]],
  ['the first branch that is not null', { anyOf: [{ type: 'null' }, { type: 'integer' }] }, 0],
  ['the first of several branches', { oneOf: [{ const: 'a' }, { const: 'b' }] }, 'a'],
  [
    'everything that must hold together',
    { allOf: [{ type: 'object', properties: { a: { const: 1 } } }, { properties: { b: { const: 2 } } }] },
    { a: 1, b: 2 },
  ],
  [
    'a record with one name that may be one',
    { type: 'object', propertyNames: { pattern: '^[A-Z]{3}$' }, additionalProperties: { const: 1 } },
    { USD: 1 },
  ],
  ['what a reference leads to', { $ref: '#/$defs/A', $defs: { A: { const: 'a' } } }, 'a'],
  [
    'an end of what contains itself',
    { $ref: '#/$defs/A', $defs: { A: { type: 'array', items: { $ref: '#/$defs/A' } } } },
    [null],
  ],
  ['text of the least length', { ...text, minLength: 6 }, 'textxx'],
  ['a time', { ...text, format: 'date-time' }, '2030-01-31T12:00:00.000Z'],
  ['the least number', { type: 'number', exclusiveMinimum: 0 }, 1],
]

test.for(cases)('an example is %s', ([, schema, example]) => {
  expect(exampleOf(schema)).toEqual(example)
})

test('a pattern that no plain text fits asks for an example', () => {
  expect(() => exampleOf({ type: 'string', pattern: '^[0-9]{4}-x$' })).toThrow('give its schema an example')
})

test('a reference that leads nowhere is a mistake of the document', () => {
  expect(() => exampleOf({ $ref: '#/$defs/None' })).toThrow('leads nowhere')
})
