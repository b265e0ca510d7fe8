import { expect, test } from 'vitest'
import { checkBuyer, fieldOfParam, isEmail } from './check-buyer.ts'

const ada = {
  email: 'ada@example.com',
  firstName: 'Ada',
  lastName: 'Byrne',
  country: 'IE',
  line1: '12 Weaver Street',
  postalCode: 'D08',
  city: 'Dublin',
  state: '',
}

test('a whole form has no problem', () => {
  expect(checkBuyer(ada, { asksAddress: true })).toEqual({})
})

test('each field that is asked for has to be filled in', () => {
  const empty = { ...ada, email: ' ', line1: '', city: '' }
  expect(checkBuyer(empty, { asksAddress: true })).toEqual({ email: 'missing', line1: 'missing', city: 'missing' })
  expect(checkBuyer(empty, { asksAddress: false })).toEqual({ email: 'missing' })
})

test('a postcode is asked for where there are some', () => {
  expect(checkBuyer({ ...ada, postalCode: '' }, { asksAddress: true })).toEqual({ postalCode: 'missing' })
  expect(checkBuyer({ ...ada, country: 'AE', state: 'Dubai', postalCode: '' }, { asksAddress: true })).toEqual({})
})

test('a state is asked for where addresses have one', () => {
  const fields = { ...ada, country: 'US', postalCode: '10001' }
  expect(checkBuyer(fields, { asksAddress: true })).toEqual({ state: 'missing' })
  expect(checkBuyer({ ...fields, state: 'NY' }, { asksAddress: true })).toEqual({})
})

test('half an e-mail address is refused', () => {
  expect(checkBuyer({ ...ada, email: 'ada@example' }, { asksAddress: true })).toEqual({ email: 'emailInvalid' })
  expect([' ada@example.com ', 'a@b@c.de', 'a b@c.de', '@c.de', 'a@c..de'].map(isEmail)).toEqual([
    true,
    false,
    false,
    false,
    false,
  ])
})

test('an error of the platform is shown at its field', () => {
  expect(fieldOfParam('shippingAddress.postalCode')).toBe('postalCode')
  expect(fieldOfParam('email')).toBe('email')
  expect(fieldOfParam('stepId')).toBe(null)
  expect(fieldOfParam(null)).toBe(null)
})
