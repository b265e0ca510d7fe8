import { expect, test } from 'vitest'
import { checkEmail, checkPhone, complaintsOf } from './complaints-of.ts'
import { readDraft } from './kept-draft.ts'

const empty = readDraft('store', () => ({ getItem: () => null }))
const address = {
  firstName: 'Ada',
  lastName: 'Byrne',
  line1: '1 Torstraße',
  city: 'Berlin',
  postalCode: '10119',
  country: 'DE',
}
const typed = { ...empty, email: 'ada@example.com', shipping: address }
const settings = { phone: 'optional', address: 'full' } as const
const rules = { settings, isUnreachable: false }

test('a form that is filled in has nothing wrong with it', () => {
  expect(complaintsOf(typed, rules).size).toBe(0)
})

test('what is missing is named in the order of the form', () => {
  const complaints = complaintsOf({ ...empty, shipping: { country: 'DE' } }, rules)
  const names = ['email', 'shipping.firstName', 'shipping.lastName', 'shipping.line1', 'shipping.postalCode']
  expect([...complaints.keys()]).toEqual([...names, 'shipping.city'])
})

test('the billing address counts where it is another one', () => {
  const complaints = complaintsOf({ ...typed, isBillingSame: false, billing: { country: 'HK' } }, rules)
  expect([...complaints.keys()]).toContain('billing.line1')
})

test('a shop that sends nothing asks for no address', () => {
  const digital = { ...settings, address: 'none' } as const
  expect(complaintsOf({ ...empty, email: 'ada@example.com' }, { ...rules, settings: digital }).size).toBe(0)
})

test('a country that nothing is sent to is wrong', () => {
  expect([...complaintsOf(typed, { ...rules, isUnreachable: true })]).toEqual([
    ['shipping.country', { text: 'noShipping' }],
  ])
})

test.for(['ada@example.com', " o'hara+shop@mail.example.co.uk "])('%s is an e-mail address', (email) => {
  expect(checkEmail(email)).toBeNull()
})

test.for(['ada', 'ada@', 'ada@example', 'a..da@example.com', '.ada@example.com', 'ada @example.com', 'ada@-.com'])(
  '%s is no e-mail address',
  (email) => {
    expect(checkEmail(email)).toBe('emailWrong')
  },
)

test('a telephone number is digits of any script, with what people write between them', () => {
  expect(['+353 1 555 0100', '(01) 555-0100', '٠١٢٣٤٥٦٧'].map((text) => checkPhone(text, true))).toEqual([
    null,
    null,
    null,
  ])
  expect([checkPhone('call me', false), checkPhone('', true), checkPhone('', false)]).toEqual([
    'phoneWrong',
    'needed',
    null,
  ])
})
