import { expect, test } from 'vitest'
import { errorBody } from './error-body.ts'
import { errorKinds, isErrorCode, type ErrorCode } from './errors.ts'

const table: readonly [status: number, type: string, errorClass: string, codes: readonly ErrorCode[]][] = [
  [
    400,
    'invalid_request_error',
    'BAD_REQUEST',
    [
      'parameter_missing',
      'parameter_invalid',
      'json_invalid',
      'http_invalid',
      'amount_invalid',
      'currency_unsupported',
      'token_invalid',
      'token_expired',
      'token_used',
    ],
  ],
  [400, 'idempotency_error', 'BAD_REQUEST', ['idempotency_key_invalid', 'idempotency_key_reused']],
  [
    401,
    'authentication_error',
    'UNAUTHORIZED',
    [
      'api_key_missing',
      'api_key_invalid',
      'api_key_revoked',
      'api_key_wrong_environment',
      'session_token_missing',
      'session_token_invalid',
      'session_token_expired',
      'session_token_replaced',
      'sign_in_required',
      'sign_in_failed',
    ],
  ],
  [
    402,
    'card_error',
    'PAYMENT_REQUIRED',
    [
      'card_declined',
      'insufficient_funds',
      'expired_card',
      'incorrect_cvc',
      'processing_error',
      'authentication_required',
      'no_eligible_processor',
      'abuse_blocked',
      'risk_refused',
    ],
  ],
  [
    403,
    'permission_error',
    'FORBIDDEN',
    ['role_required', 'scope_missing', 'operator_required', 'challenge_required', 'cross_site_refused'],
  ],
  [404, 'invalid_request_error', 'NOT_FOUND', ['resource_missing', 'route_not_found']],
  [405, 'invalid_request_error', 'METHOD_NOT_SUPPORTED', ['method_not_allowed']],
  [408, 'invalid_request_error', 'TIMEOUT', ['request_timeout']],
  [409, 'idempotency_error', 'CONFLICT', ['idempotency_key_in_use']],
  [
    409,
    'invalid_request_error',
    'CONFLICT',
    ['resource_exists', 'state_conflict', 'revision_conflict', 'promotion_exhausted', 'out_of_stock'],
  ],
  [413, 'invalid_request_error', 'PAYLOAD_TOO_LARGE', ['body_too_large']],
  [414, 'invalid_request_error', 'BAD_REQUEST', ['address_too_long']],
  [415, 'invalid_request_error', 'UNSUPPORTED_MEDIA_TYPE', ['content_type_unsupported']],
  [429, 'rate_limit_error', 'TOO_MANY_REQUESTS', ['rate_limit_exceeded', 'concurrency_exceeded']],
  [431, 'invalid_request_error', 'BAD_REQUEST', ['headers_too_large']],
  [500, 'api_error', 'INTERNAL_SERVER_ERROR', ['internal']],
  [502, 'api_error', 'INTERNAL_SERVER_ERROR', ['upstream_failed']],
  [
    503,
    'api_error',
    'INTERNAL_SERVER_ERROR',
    ['unavailable', 'tax_unanswered', 'shipping_rates_unanswered', 'stock_unanswered', 'risk_unanswered'],
  ],
  [504, 'api_error', 'INTERNAL_SERVER_ERROR', ['upstream_timeout']],
]
const rows = table.flatMap(([status, type, errorClass, codes]) =>
  codes.map((code) => ({ code, status, type, errorClass })),
)

test.for(rows)('$code has status $status, type $type and class $errorClass', ({ code, status, type, errorClass }) => {
  expect(errorKinds[code]).toEqual({ status, type, class: errorClass })
})

test('the table is complete', () => {
  expect(Object.keys(errorKinds).toSorted()).toEqual(rows.map(({ code }) => code).toSorted())
})

test.for(['toString', '__proto__', 'constructor', '', 'Internal', undefined, null, 500])(
  '%j is not an error code',
  (code) => {
    expect(isErrorCode(code)).toBe(false)
  },
)

test('an error body has both shapes of the reference at once', () => {
  const shapeA = {
    type: 'card_error',
    code: 'card_declined',
    message: 'No.',
    docUrl: 'http://docs',
    requestId: 'req_1',
  }
  const shapeB = { message: 'No.', code: 'PAYMENT_REQUIRED', issues: [] }
  expect(errorBody.safeParse({ error: shapeA, ...shapeB }).success).toBe(true)
  expect(errorBody.safeParse({ error: shapeA }).success).toBe(false)
  expect(errorBody.safeParse(shapeB).success).toBe(false)
})
