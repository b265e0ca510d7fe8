import { TillwrightError } from '@tillwright/client'
import { expect, test } from 'vitest'
import { refusal } from './refusal.ts'

test.each([
  ['insufficient_funds', 'not enough money'],
  ['expired_card', 'expired'],
  ['incorrect_cvc', 'security code'],
  ['card_declined', 'declined'],
  ['a_reason_of_next_year', 'declined'],
])('%s is told in the shop’s own words', (code, words) => {
  const { status, message, field } = refusal(
    new TillwrightError(code, 'The platform’s.', { status: 402, type: 'card_error' }),
  )
  expect({ status, field }).toEqual({ status: 402, field: 'card' })
  expect(message).toContain(words)
  expect(message).not.toContain('platform')
})

test.each([
  new TillwrightError('timed_out', 'Too late.'),
  new TillwrightError('internal', 'Oops.', { status: 500 }),
  new RangeError('a bug'),
])('an outcome that nobody knows asks to try again, never says that nothing was charged: %s', (error) => {
  expect(refusal(error)).toMatchObject({ status: 502, message: expect.stringContaining('not be charged twice') })
})

test('an e-mail address that the platform refuses is the field to correct', () => {
  const error = new TillwrightError('parameter_invalid', 'No.', { status: 400, param: 'customerData.email' })
  expect(refusal(error)).toMatchObject({ status: 400, field: 'email' })
})
