import { errorBody as schema } from '@tillwright/contract'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import { ApiError } from '../../runtime/errors.ts'
import { DatabaseUnavailable } from '../../storage/database.ts'
import { errorBody, logFailure, toApiError } from './error-body.ts'

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

test('a bug is logged as an error, and a merchant’s server that gives no answer as a warning', () => {
  const lines: string[] = []
  const log = pino({ level: 'warn' }, { write: (line: string) => lines.push(line) })
  logFailure(log, toApiError(new TypeError('a bug')), { requestId: 'req_1' })
  logFailure(log, new ApiError('risk_unanswered', 'The hook gave no valid answer.'), { requestId: 'req_2' })
  const logged: unknown[] = lines.map((line) => JSON.parse(line))
  expect(logged).toMatchObject([
    { level: 50, requestId: 'req_1', err: { message: 'a bug' }, msg: 'request failed' },
    { level: 40, requestId: 'req_2', err: { code: 'risk_unanswered' }, msg: 'request failed' },
  ])
})
