import { exampleOf, type JsonSchema } from '@tillwright/contract'
import { expect, test } from 'vitest'
import { casesOf } from './cases.ts'

/** `verdict path (rule) value` of each case but those of wrong types, the value as JSON. */
function casesOfField(schema: JsonSchema, required: readonly string[] = []): string[] {
  const root: JsonSchema = { type: 'object', properties: { a: schema }, required: [...required] }
  return casesOf(root, () => true)
    .filter(({ rule, path }) => path !== '' && !rule.startsWith('type'))
    .map(({ verdict, path, rule, sent }) => `${verdict} ${path} (${rule}) ${JSON.stringify(sent)}`)
}

test.for<[what: string, schema: JsonSchema, cases: string[]]>([
  [
    'a text',
    { type: 'string', minLength: 2, maxLength: 4 },
    [
      'refused a (minLength) {"a":"t"}',
      'refused a (maxLength) {"a":"texta"}',
      'kept a (minLength) {"a":"te"}',
      'kept a (maxLength) {"a":"text"}',
    ],
  ],
  [
    'a text with a form, which is kept where only the length is wrong',
    { type: 'string', pattern: '^[0-9a]+$', maxLength: 2, examples: ['12'] },
    [
      'refused a (maxLength) {"a":"12a"}',
      'refused a (pattern) {"a":""}',
      'refused a (pattern) {"a":" "}',
      'refused a (pattern) {"a":"§"}',
      'kept a (maxLength) {"a":"12"}',
    ],
  ],
  [
    'a whole number',
    { type: 'integer', minimum: 1, maximum: 3 },
    [
      'refused a (integer) {"a":1.5}',
      'refused a (minimum) {"a":0}',
      'refused a (maximum) {"a":4}',
      'kept a (minimum) {"a":1}',
      'kept a (maximum) {"a":3}',
    ],
  ],
  ['a number above a bound', { type: 'number', exclusiveMinimum: 0 }, ['refused a (exclusiveMinimum) {"a":0}']],
  [
    'an enumeration',
    { enum: ['x', 'y'] },
    [
      'refused a (enum) {"a":"xx"}',
      'refused a (enum) {"a":"y "}',
      'kept a (enum) {"a":"x"}',
      'kept a (enum) {"a":"y"}',
    ],
  ],
  [
    'a list, whose last item is tried',
    { type: 'array', items: { const: 'x' }, minItems: 1, maxItems: 2 },
    [
      'refused a (minItems) {"a":[]}',
      'refused a (maxItems) {"a":["x","x","x"]}',
      'kept a (minItems) {"a":["x"]}',
      'kept a (maxItems) {"a":["x","x"]}',
      'refused a[1] (const) {"a":["x","xx"]}',
    ],
  ],
  [
    'an object whose names are free',
    { type: 'object', propertyNames: { maxLength: 5 }, additionalProperties: { const: 1 }, minProperties: 1 },
    [
      'refused a.textaa (name: maxLength) {"a":{"text":1,"textaa":1}}',
      'refused a (minProperties) {"a":{}}',
      'refused a.text (const) {"a":{"text":2}}',
    ],
  ],
  [
    'a field that refers to something',
    { type: 'string', 'x-reference': true },
    ['refers a (x-reference) {"a":"text"}'],
  ],
])('the cases of %s', ([, schema, cases]) => {
  expect(casesOfField(schema)).toEqual(cases)
})

test('a field is tried with every type that it does not allow', () => {
  const root: JsonSchema = { type: 'object', properties: { a: { type: ['string', 'null'] } } }
  const types = casesOf(root, () => true).filter(({ path }) => path === 'a')
  expect(new Set(types.map(({ rule }) => rule))).toEqual(
    new Set(['type: boolean', 'type: number', 'type: array', 'type: object']),
  )
})

test('a required field is tried without', () => {
  expect(casesOfField({ type: 'boolean' }, ['a'])).toEqual(['missing a (absent) {}'])
})

test('of several shapes each is tried', () => {
  const shapes: JsonSchema = {
    anyOf: [
      { type: 'string', maxLength: 4 },
      { type: 'array', items: { type: 'boolean' } },
    ],
  }
  const root: JsonSchema = { type: 'object', properties: { a: shapes } }
  const paths = casesOf(root, () => true).map(({ path, rule }) => `${path} ${rule}`)
  expect(paths).toContain('a maxLength')
  expect(paths).toContain('a[1] type: null')
  expect(paths).not.toContain('a type: array')
})

test('where fields exclude each other, the example in which a field stands is taken', () => {
  const root: JsonSchema = {
    type: 'object',
    properties: { a: { type: 'integer', minimum: 0 }, b: { type: 'integer', minimum: 0 } },
    examples: [{ a: 1 }, { b: 1 }],
  }
  const fits = (value: unknown) => Object.keys(Object(value)).length === 1
  const below = casesOf(root, fits).filter(({ rule }) => rule === 'minimum' && fits)
  expect(below.map(({ sent }) => sent)).toContainEqual({ b: -1 })
  expect(exampleOf(root)).toEqual({ a: 1 })
})

test('a field without an example is reported', () => {
  const root: JsonSchema = { type: 'object', properties: { a: { type: 'integer' } }, examples: [{}] }
  expect(casesOf(root, (value) => !Object.hasOwn(Object(value), 'a'))).toContainEqual(
    expect.objectContaining({ verdict: 'unreached', path: 'a' }),
  )
})
