import fc from 'fast-check'
import { expect, test } from 'vitest'
import { contract } from '@tillwright/contract'
import { setFields } from './set-fields.ts'

const name = fc.stringMatching(/^[A-Za-z_]{1,8}$/)

test('every JSON value is parsed from its text, at any depth', () => {
  fc.assert(
    fc.property(fc.array(name, { minLength: 1, maxLength: 4 }), fc.jsonValue(), (path, value) => {
      const read = path.reduce<unknown>(
        (tree, step) => (tree as Record<string, unknown>)[step], // paths lead through objects only
        setFields([`${path.join('.')}=${JSON.stringify(value)}`]),
      )
      expect(JSON.stringify(read)).toBe(JSON.stringify(value))
    }),
  )
})

test('a value that is not JSON is text', () => {
  expect({ ...setFields(['currency=USD', 'note=a=b', 'empty=', 'text="5"', 'number=5']) }).toEqual({
    currency: 'USD',
    note: 'a=b',
    empty: '',
    text: '5',
    number: 5,
  })
})

test('several properties of one object are merged', () => {
  expect(JSON.stringify(setFields(['a.b=1', 'a.c=2', '__proto__.x=3']))).toBe('{"a":{"b":1,"c":2},"__proto__":{"x":3}}')
})

test.for([
  [['amount']],
  [['=5']],
  [['a..b=5']],
  [['a=1', 'a=2']],
  [['a=1', 'a.b=2']],
  [['a.b=1', 'a=2']],
  [['a[1]=1']],
  [['a[0]=1', 'a.b=2']],
  [['a=[]', 'a.b=2']],
  [['a[x]=1']],
  [['a]=1']],
])('%j is refused with the reason', ([assignments]) => {
  expect(() => setFields(assignments ?? [])).toThrow(`--set ${assignments?.at(-1)}: `)
})

test('the fields of what is in a list have its places in their names, as errors do', () => {
  const set = [
    'lines[0].variantId=variant_1',
    'lines[1].variantId=variant_2',
    'lines[0].quantity=2',
    'tags[0]=a',
    'tags[1]=b',
  ]
  expect(JSON.parse(JSON.stringify(setFields(set)))).toEqual({
    lines: [{ variantId: 'variant_1', quantity: 2 }, { variantId: 'variant_2' }],
    tags: ['a', 'b'],
  })
})

test('where text is wanted, digits and words of JSON are the text that was typed', () => {
  const set = [
    'metadata.order=0012',
    'metadata.id=12345678901234567890',
    'metadata.gift=true',
    'amount=500',
    'reason=7.50',
  ]
  const read = setFields(set, contract.payments.create.body)
  expect(JSON.parse(JSON.stringify(read))).toEqual({
    metadata: { order: '0012', id: '12345678901234567890', gift: 'true' },
    amount: 500,
    reason: 7.5,
  })
  expect(setFields(['reason=7.50'], contract.payments.refund.body)['reason']).toBe('7.50')
  expect(setFields(['reason=null'], contract.payments.refund.body)['reason']).toBe(null)
})
