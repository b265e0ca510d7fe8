import { expect, test } from 'vitest'
import { z } from 'zod'
import { contract } from './contract.ts'
import { exampleOf, exampleProperties, type JsonSchema } from './examples.ts'
import type { Operation } from './operation.ts'
import { type EventType, eventTypes } from './resources/event-types.ts'

const parts = Object.entries(contract).flatMap(([group, named]) =>
  Object.entries<Operation>(named).flatMap(([name, { params, query, body, response }]) =>
    Object.entries({ params, query, body, response }).flatMap(([part, schema]) =>
      schema === undefined ? [] : [{ id: `${group}.${name}`, part, schema }],
    ),
  ),
)

test.for(parts)('the composed example of the $part of $id is valid', ({ part, schema }) => {
  const io = part === 'response' ? 'output' : 'input'
  const example = exampleOf(z.toJSONSchema(schema, { io, unrepresentable: 'any' }))
  expect(schema.safeParse(example).error?.issues ?? []).toEqual([])
})

const text = { type: 'string' } as const
const cases: readonly [what: string, schema: JsonSchema, example: unknown][] = [
  ['the first example, before anything else', { ...text, examples: ['b', 'c'], const: 'a', default: 'd' }, 'b'],
  ['a constant', { const: null, default: 1 }, null],
  ['the first value of an enumeration, before the default', { enum: ['a', 'b'], default: 'b' }, 'a'],
  ['the default', { type: 'boolean', default: false }, false],
  [
    'all properties, with the examples inside them',
    { type: 'object', properties: { a: { ...text, examples: ['x'] }, b: { type: 'boolean' } }, required: ['a'] },
    { a: 'x', b: true },
  ],
  ['one item', { type: 'array', items: { type: 'integer', minimum: 3 } }, [3]],
  ['as many items as required', { type: 'array', items: { const: 1 }, minItems: 3 }, [1, 1, 1]],
  ['the first branch that is not null', { anyOf: [{ type: 'null' }, { type: 'integer' }] }, 0],
  ['the first of several branches', { oneOf: [{ const: 'a' }, { const: 'b' }] }, 'a'],
  [
    'all branches of allOf together',
    { allOf: [{ type: 'object', properties: { a: { const: 1 } } }, { properties: { b: { const: 2 } } }] },
    { a: 1, b: 2 },
  ],
  [
    'a record with one valid name',
    { type: 'object', propertyNames: { pattern: '^[A-Z]{3}$' }, additionalProperties: { const: 1 } },
    { USD: 1 },
  ],
  ['the target of a reference', { $ref: '#/$defs/A', $defs: { A: { const: 'a' } } }, 'a'],
  [
    'an end to a recursive schema',
    { $ref: '#/$defs/A', $defs: { A: { type: 'array', items: { $ref: '#/$defs/A' } } } },
    [null],
  ],
  ['text of the minimum length', { ...text, minLength: 6 }, 'textxx'],
  ['a time', { ...text, format: 'date-time' }, '2030-01-31T12:00:00.000Z'],
  ['the minimum number', { type: 'number', exclusiveMinimum: 0 }, 1],
]

test.for(cases)('an example is %s', ([, schema, example]) => {
  expect(exampleOf(schema)).toEqual(example)
})

test('a pattern that no simple text matches needs an example', () => {
  expect(() => exampleOf({ type: 'string', pattern: '^[0-9]{4}-x$' })).toThrow('give its schema an example')
})

test('a reference without a target is an error of the document', () => {
  expect(() => exampleOf({ $ref: '#/$defs/None' })).toThrow('has no target')
})

const types = Object.keys(eventTypes) as EventType[] // the table's keys are the types

test.for(types)('the example of %s has exactly the properties of its type', (type) => {
  const example = exampleProperties(type)
  expect(eventTypes[type].parse(example)).toEqual(example)
  expect(Object.keys(example)).toEqual(Object.keys(eventTypes[type].shape))
})
