import { stripVTControlCharacters } from 'node:util'
import { expect, test } from 'vitest'
import { facts, table } from './output.ts'

test('columns are aligned, however wide their cells', () => {
  const text = stripVTControlCharacters(
    table(
      ['id', 'name'],
      [
        ['a', 'Über 日'],
        ['longer', '-'],
      ],
    ),
  )
  expect(text).toBe('ID      NAME\na       Über 日\nlonger  -\n')
})

test('values are aligned after their names', () => {
  expect(
    facts([
      ['id', 'key_1'],
      ['account', 'acc_1'],
    ]),
  ).toBe('id       key_1\naccount  acc_1\n')
})
