import fc from 'fast-check'
import { expect, test } from 'vitest'
import { setProperties } from './event-actions.ts'

const name = fc.stringMatching(/^[A-Za-z_]{1,8}$/)

test('every JSON value is parsed from its text, at any depth', () => {
  fc.assert(
    fc.property(fc.array(name, { minLength: 1, maxLength: 4 }), fc.jsonValue(), (path, value) => {
      const read = path.reduce<unknown>(
        (tree, step) => (tree as Record<string, unknown>)[step], // paths lead through objects only
        setProperties([`${path.join('.')}=${JSON.stringify(value)}`]),
      )
      expect(JSON.stringify(read)).toBe(JSON.stringify(value))
    }),
  )
})

test('a value that is not JSON is text', () => {
  expect({ ...setProperties(['currency=USD', 'note=a=b', 'empty=', 'text="5"', 'number=5']) }).toEqual({
    currency: 'USD',
    note: 'a=b',
    empty: '',
    text: '5',
    number: 5,
  })
})

test('several properties of one object are merged', () => {
  expect(JSON.stringify(setProperties(['a.b=1', 'a.c=2', '__proto__.x=3']))).toBe(
    '{"a":{"b":1,"c":2},"__proto__":{"x":3}}',
  )
})

test.for([[['amount']], [['=5']], [['a..b=5']], [['a=1', 'a=2']], [['a=1', 'a.b=2']], [['a.b=1', 'a=2']]])(
  '%j is refused with the reason',
  ([assignments]) => {
    expect(() => setProperties(assignments ?? [])).toThrow(`--set ${assignments?.at(-1)}: `)
  },
)
