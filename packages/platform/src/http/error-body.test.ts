import { errorBody as schema } from '@tillwright/contract'
import { expect, test } from 'vitest'
import { ApiError } from '../runtime/errors.ts'
import { DatabaseUnavailable } from '../storage/database.ts'
import { errorBody, toApiError } from './error-body.ts'

test('both shapes tell the same', () => {
  const error = new ApiError('card_declined', 'The card was declined.', {
    declineCode: 'do_not_honor',
    paymentId: 'pay_1',
  })
  const body = errorBody(error, 'req_1', 'http://localhost/docs')
  expect(schema.parse(body)).toEqual(body)
  expect(body).toEqual({
    error: {
      type: 'card_error',
      code: 'card_declined',
      message: 'The card was declined.',
      declineCode: 'do_not_honor',
      paymentId: 'pay_1',
      docUrl: 'http://localhost/docs/errors#card_declined',
      requestId: 'req_1',
    },
    message: 'The card was declined.',
    code: 'PAYMENT_REQUIRED',
    issues: [{ message: 'The card was declined.', path: '', code: 'card_declined' }],
  })
})

test('what the database cannot do now is a 503 that says when to come again', () => {
  const error = toApiError(new DatabaseUnavailable('disk full: /var/lib/secret'))
  expect(error).toMatchObject({ code: 'unavailable', status: 503, details: { headers: { 'Retry-After': '1' } } })
  expect(error.message).not.toContain('secret')
})

test.for([new TypeError('secret'), 'secret', undefined, { code: 'internal' }])(
  'a bug is a 500 that tells nothing of it',
  (thrown) => {
    const error = toApiError(thrown)
    expect(error).toMatchObject({ code: 'internal', status: 500 })
    expect(JSON.stringify(errorBody(error, 'req_1', ''))).not.toContain('secret')
  },
)
