import { expect, test } from 'vitest'
import type { JsonSchema } from '../packages/contract/src/index.ts'
import { faultsOf, type Section, sectionsOf } from './fields.ts'

const withField = (description: string): Section[] => [
  { title: 'Store', note: '', fields: [{ path: 'type', type: 'string', isRequired: false, description }] },
]

test('a field without a description is a fault', () => {
  expect(faultsOf(withField(''))).toEqual(['Store: type has no description: say what the field does.'])
})

test('a field that is only kept needs a reason', () => {
  const fault = ['Store: type is only kept: say why, as "Kept only: <reason>."']
  expect(faultsOf(withField('The category. Kept only.'))).toEqual(fault)
  expect(faultsOf(withField('The category, which is only stored.'))).toEqual(fault)
  expect(faultsOf(withField('The category. Kept only: your own reports read it.'))).toEqual([])
  expect(faultsOf(withField('The category. Kept only, like `config`.'))).toEqual([])
  expect(faultsOf(withField('The category: prices depend on it.'))).toEqual([])
})

test('fields inside of fields, lists, unions and names of one’s own have rows of their own', () => {
  const text: JsonSchema = { type: 'string', description: 'A text.' }
  const schema: JsonSchema = {
    properties: {
      plain: text,
      inner: { properties: { deep: text }, description: 'An object.' },
      list: { items: { properties: { each: text } }, description: 'A list.' },
      union: {
        anyOf: [{ properties: { one: text } }, { properties: { one: text, two: text } }],
        description: 'Either.',
      },
      named: { additionalProperties: { properties: { value: text } }, description: 'By name.' },
      other: { $ref: '#/components/schemas/Other' },
    },
    required: ['plain'],
  }
  const other = { description: 'Another resource.', properties: { own: text } }
  const { resources } = sectionsOf({
    components: { schemas: { Whole: schema, Other: other } },
    paths: {},
    webhooks: {},
  })
  const [whole] = resources
  expect(whole?.fields.map(({ path }) => path)).toEqual([
    'plain',
    'inner',
    'inner.deep',
    'list',
    'list[].each',
    'union',
    'union.one',
    'union.two',
    'named',
    'named{}.value',
    'other',
  ])
  expect(whole?.fields.at(-1)).toMatchObject({ type: '[Other](#other)', description: 'Another resource.' })
  expect(whole?.fields.filter(({ isRequired }) => isRequired).map(({ path }) => path)).toEqual(['plain'])
})
