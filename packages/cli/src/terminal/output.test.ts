import { stripVTControlCharacters } from 'node:util'
import { expect, test } from 'vitest'
import { facts, table } from './output.ts'
import { harmless, harmlessJson } from './print.ts'

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

test('nothing that a buyer may be called is obeyed by the terminal', () => {
  const names = ['\u001B[2J\u001B]0;owned\u0007', 'line\r\nline', '\u009B31m', '\u202Etxt.exe']
  expect(facts(names.map((name) => ['name', name]))).toBe(
    'name  \uFFFD[2J\uFFFD]0;owned\uFFFD\nname  line\uFFFD\uFFFDline\nname  \uFFFD31m\nname  \uFFFDtxt.exe\n',
  )
})

test('of what others have written, a terminal is given lines and colours alone', () => {
  expect(harmless('\u001B[31mred\u001B[39m\ta line\r\n\u001B[2J\u0007[31m\u009B2J\u202Eend\r')).toBe(
    '\u001B[31mred\u001B[39m\ta line\r\n\uFFFD[2J\uFFFD[31m\uFFFD2J\uFFFDend\uFFFD',
  )
})

test('JSON is the same document, of characters that a terminal does not obey', () => {
  const value = { name: 'a\u001B[2J\u009B2J\u202E\u007F' }
  const text = harmlessJson(value)
  expect(text).toBe(String.raw`{"name":"a\u001b[2J\u009b2J\u202e\u007f"}`)
  expect(JSON.parse(text)).toEqual(value)
})
