import { expect, expectTypeOf, test } from 'vitest'
import { defineTable, flag, int, json, nullable, oneOf, pick, rawJson, rowReader, text } from './define-table.ts'

const pets = defineTable('pets', {
  id: text,
  kind: oneOf({ cat: true, dog: true }),
  legs: int,
  is_tame: flag,
  owner: nullable(text),
  tags: json<readonly string[]>(),
})

const row = { id: 'pet_1', kind: 'cat', legs: 4, is_tame: 1, owner: null, tags: '["small"]' }

test('a row is read as its columns say', () => {
  const [pet] = rowReader(pets)([row])
  expect(pet).toEqual({ id: 'pet_1', kind: 'cat', legs: 4, is_tame: true, owner: null, tags: ['small'] })
  expectTypeOf(pet?.kind).toEqualTypeOf<'cat' | 'dog' | undefined>()
  expectTypeOf(pet?.owner).toEqualTypeOf<string | null | undefined>()
})

test('a reader takes some columns, of several tables, and what is computed', () => {
  const readNames = rowReader({ ...pick(pets, 'id'), name: nullable(pets.owner), pets: int, tags: rawJson(pets.tags) })
  expect(readNames([{ id: 'pet_1', name: null, pets: 3, tags: '[]', more: 1 }])).toEqual([
    { id: 'pet_1', name: null, pets: 3, tags: '[]' },
  ])
})

test.each([
  ['a wrong type', { legs: 'four' }, 'The column pets.legs holds other text, where a whole number belongs.'],
  ['NULL', { id: null }, 'The column pets.id holds NULL, where text belongs.'],
  ['another word', { kind: 'fish' }, 'The column pets.kind holds other text, where one of cat, dog belongs.'],
  ['an inherited name', { kind: 'toString' }, 'The column pets.kind holds other text, where one of cat, dog belongs.'],
  ['a number that is no flag', { is_tame: 2 }, 'The column pets.is_tame holds another number, where 0 or 1 belongs.'],
  ['what is no JSON', { tags: '[' }, 'The column pets.tags holds other text, where JSON belongs.'],
  ['a wrong type, nullable', { owner: 5 }, 'The column pets.owner holds another number, where text or NULL belongs.'],
])('%s is refused by table and column, without the value', (_, change, message) => {
  expect(() => rowReader(pets)([{ ...row, ...change }])).toThrow(message)
})

test('a column that the SELECT forgot is named, by its own name where no table has it', () => {
  const { owner: _, ...rest } = row
  expect(() => rowReader(pets)([rest])).toThrow('The column pets.owner was not selected')
  expect(() => rowReader({ total: int })([rest])).toThrow('The column total was not selected')
})
