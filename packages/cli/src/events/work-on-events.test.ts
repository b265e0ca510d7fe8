import fc from 'fast-check'
import { expect, test } from 'vitest'
import { setProperties } from './work-on-events.ts'

const name = fc.stringMatching(/^[A-Za-z_]{1,8}$/)

test('every JSON value is read back from its text, at any depth', () => {
  fc.assert(
    fc.property(fc.array(name, { minLength: 1, maxLength: 4 }), fc.jsonValue(), (path, value) => {
      const read = path.reduce<unknown>(
        (tree, step) => (tree as Record<string, unknown>)[step], // the steps lead through objects
        setProperties([`${path.join('.')}=${JSON.stringify(value)}`]),
      )
      expect(JSON.stringify(read)).toBe(JSON.stringify(value))
    }),
  )
})

test('what is no JSON is text, with whatever stands in it', () => {
  expect({ ...setProperties(['currency=USD', 'note=a=b', 'empty=', 'text="5"', 'number=5']) }).toEqual({
    currency: 'USD',
    note: 'a=b',
    empty: '',
    text: '5',
    number: 5,
  })
})

test('several properties of one object stand beside each other', () => {
  expect(JSON.stringify(setProperties(['a.b=1', 'a.c=2', '__proto__.x=3']))).toBe(
    '{"a":{"b":1,"c":2},"__proto__":{"x":3}}',
  )
})

test.for([[['amount']], [['=5']], [['a..b=5']], [['a=1', 'a=2']], [['a=1', 'a.b=2']], [['a.b=1', 'a=2']]])(
  '%j is refused by name',
  ([assignments]) => {
    expect(() => setProperties(assignments ?? [])).toThrow(`--set ${assignments?.at(-1)}: `)
  },
)
