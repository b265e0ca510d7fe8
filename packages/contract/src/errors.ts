/** The error code of shape B, in the style of tRPC. */
export type ErrorClass =
  | 'BAD_REQUEST'
  | 'UNAUTHORIZED'
  | 'PAYMENT_REQUIRED'
  | 'FORBIDDEN'
  | 'NOT_FOUND'
  | 'CONFLICT'
  | 'METHOD_NOT_SUPPORTED'
  | 'TIMEOUT'
  | 'PAYLOAD_TOO_LARGE'
  | 'UNSUPPORTED_MEDIA_TYPE'
  | 'TOO_MANY_REQUESTS'
  | 'INTERNAL_SERVER_ERROR'

/** The error type of shape A: the category of the error. */
export type ErrorType =
  | 'invalid_request_error'
  | 'idempotency_error'
  | 'authentication_error'
  | 'card_error'
  | 'permission_error'
  | 'rate_limit_error'
  | 'api_error'

interface ErrorKind {
  status: number
  type: ErrorType
  class: ErrorClass
}

const badRequest = { status: 400, type: 'invalid_request_error', class: 'BAD_REQUEST' } satisfies ErrorKind
const idempotencyMisuse = { status: 400, type: 'idempotency_error', class: 'BAD_REQUEST' } satisfies ErrorKind
const unauthorized = { status: 401, type: 'authentication_error', class: 'UNAUTHORIZED' } satisfies ErrorKind
const paymentFailed = { status: 402, type: 'card_error', class: 'PAYMENT_REQUIRED' } satisfies ErrorKind
const forbidden = { status: 403, type: 'permission_error', class: 'FORBIDDEN' } satisfies ErrorKind
const notFound = { status: 404, type: 'invalid_request_error', class: 'NOT_FOUND' } satisfies ErrorKind
const conflict = { status: 409, type: 'invalid_request_error', class: 'CONFLICT' } satisfies ErrorKind
const tooMany = { status: 429, type: 'rate_limit_error', class: 'TOO_MANY_REQUESTS' } satisfies ErrorKind
const fault = { type: 'api_error', class: 'INTERNAL_SERVER_ERROR' } as const

/** Every error of the API, by code. A code is never renamed and never changes its status. */
export const errorKinds = {
  parameter_missing: badRequest,
  parameter_invalid: badRequest,
  json_invalid: badRequest,
  http_invalid: badRequest,
  amount_invalid: badRequest,
  currency_unsupported: badRequest,
  token_invalid: badRequest,
  token_expired: badRequest,
  token_used: badRequest,
  idempotency_key_invalid: idempotencyMisuse,
  idempotency_key_reused: idempotencyMisuse,
  api_key_missing: unauthorized,
  api_key_invalid: unauthorized,
  api_key_revoked: unauthorized,
  api_key_wrong_environment: unauthorized,
  session_token_missing: unauthorized,
  session_token_invalid: unauthorized,
  session_token_expired: unauthorized,
  session_token_replaced: unauthorized,
  sign_in_required: unauthorized,
  sign_in_failed: unauthorized,
  card_declined: paymentFailed,
  insufficient_funds: paymentFailed,
  expired_card: paymentFailed,
  incorrect_cvc: paymentFailed,
  processing_error: paymentFailed,
  authentication_required: paymentFailed,
  no_eligible_processor: paymentFailed,
  abuse_blocked: paymentFailed,
  risk_refused: paymentFailed,
  role_required: forbidden,
  scope_missing: forbidden,
  operator_required: forbidden,
  cross_site_refused: forbidden,
  challenge_required: forbidden,
  resource_missing: notFound,
  route_not_found: notFound,
  method_not_allowed: { status: 405, type: 'invalid_request_error', class: 'METHOD_NOT_SUPPORTED' },
  idempotency_key_in_use: { status: 409, type: 'idempotency_error', class: 'CONFLICT' },
  resource_exists: conflict,
  state_conflict: conflict,
  revision_conflict: conflict,
  promotion_exhausted: conflict,
  out_of_stock: conflict,
  request_timeout: { status: 408, type: 'invalid_request_error', class: 'TIMEOUT' },
  body_too_large: { status: 413, type: 'invalid_request_error', class: 'PAYLOAD_TOO_LARGE' },
  address_too_long: { status: 414, type: 'invalid_request_error', class: 'BAD_REQUEST' },
  content_type_unsupported: { status: 415, type: 'invalid_request_error', class: 'UNSUPPORTED_MEDIA_TYPE' },
  rate_limit_exceeded: tooMany,
  headers_too_large: { status: 431, type: 'invalid_request_error', class: 'BAD_REQUEST' },
  concurrency_exceeded: tooMany,
  internal: { status: 500, ...fault },
  upstream_failed: { status: 502, ...fault },
  unavailable: { status: 503, ...fault },
  tax_unanswered: { status: 503, ...fault },
  shipping_rates_unanswered: { status: 503, ...fault },
  stock_unanswered: { status: 503, ...fault },
  risk_unanswered: { status: 503, ...fault },
  upstream_timeout: { status: 504, ...fault },
} as const satisfies Record<string, ErrorKind>

/** The stable name of an error, for programs to branch on. */
export type ErrorCode = keyof typeof errorKinds

const codes = Object.keys(errorKinds)

/** Narrows a value to an error code of the table. */
export function isErrorCode(code: unknown): code is ErrorCode {
  return typeof code === 'string' && codes.includes(code)
}

/** Descriptions of the codes for the reference page that `docUrl` points to. */
export const errorMeanings: Record<ErrorCode, string> = {
  parameter_missing: 'A required parameter is missing; `param` names it.',
  parameter_invalid: 'A parameter is invalid; `param` names it and the message says which rule it breaks.',
  json_invalid: 'The body is not JSON, or is JSON that parsers could read differently.',
  http_invalid: 'The request does not follow HTTP/1.1, so that nothing of it could be read.',
  amount_invalid: 'An amount is not a whole number of minor units or is out of range.',
  currency_unsupported: 'A currency is not an ISO 4217 code, or the price has no amount in it.',
  token_invalid: 'A token or an encrypted card is unknown, belongs to something else, or was altered.',
  token_expired: 'A token is older than 15 minutes; tokenize the card again.',
  token_used: 'A token was already used; tokenize the card again.',
  idempotency_key_invalid: 'The `Idempotency-Key` must be a single header of 1 to 255 visible ASCII characters.',
  idempotency_key_reused: 'The `Idempotency-Key` was already used with a different request.',
  api_key_missing: 'The request has no API key.',
  api_key_invalid: 'The API key is unknown, or was used from a place where it is not allowed.',
  api_key_revoked: 'The API key was revoked or has expired.',
  api_key_wrong_environment: 'A test key was used in production, or a live key outside it.',
  session_token_missing: 'The request has no session token.',
  session_token_invalid: 'The session token is unknown, or something else was sent in its place.',
  session_token_expired: 'The session was inactive for an hour or is a day old; create a new one.',
  session_token_replaced:
    'The session was handed over to another page, which has a new token; this token no longer works.',
  card_declined: 'The issuer declined the card; `declineCode` says why.',
  insufficient_funds: 'The card has insufficient funds.',
  expired_card: 'The card has expired.',
  incorrect_cvc: "The card's security code is wrong.",
  processing_error: 'The processor could not process the card; try again.',
  authentication_required: 'The issuer requires the buyer to authenticate first.',
  no_eligible_processor: 'No processor of the payment flow can take this payment.',
  abuse_blocked: "The payment flow's abuse detection blocked the payment.",
  risk_refused: 'The store’s `risk` hook refused the payment; nothing was charged.',
  sign_in_required:
    'The member is not signed in, or the session has ended, or a key was sent where a person has to decide.',
  sign_in_failed: 'The passkey, the recovery code, the invitation or its ceremony is unknown, used or expired.',
  cross_site_refused: 'A request with the cookie of the console did not come from a page of the console.',
  role_required: 'The operation requires a key with another role.',
  scope_missing: 'The operation requires a key with another scope.',
  operator_required: "The operation is for the account of the platform's operator alone.",
  challenge_required:
    'Too many cards were sent: the buyer has to solve a challenge first. Send its response with the card.',
  resource_missing: 'The object does not exist in this account.',
  route_not_found: 'The address does not exist.',
  method_not_allowed: 'The address supports other methods; `Allow` lists them.',
  idempotency_key_in_use: 'A request with this `Idempotency-Key` is still in progress; try again.',
  resource_exists: 'An object with this id or unique value already exists.',
  state_conflict: 'The object is in a state that does not allow this operation.',
  revision_conflict: 'The object has changed since the revision that was sent; `current` is the object as it is now.',
  promotion_exhausted: 'The promotion has reached its usage limit.',
  out_of_stock: 'The store’s `stock` hook says that a line cannot be sold; `param` names it. Nothing was charged.',
  request_timeout: 'The request did not arrive completely in time.',
  body_too_large: 'The body is larger than the operation allows.',
  address_too_long: 'The address, with its query, is longer than 8 KiB.',
  content_type_unsupported: 'The body is not `application/json`.',
  rate_limit_exceeded: 'Too many requests; `Retry-After` says when to try again.',
  headers_too_large: 'The headers of the request are larger than 16 KiB in total.',
  concurrency_exceeded: 'Too many concurrent requests or open streams; wait for one to finish before sending the next.',
  internal: 'An error on our side; it is logged under the request id.',
  upstream_failed: 'An upstream service returned an error.',
  unavailable: 'The service is temporarily unavailable; `Retry-After` says when to try again.',
  tax_unanswered: 'The store’s `tax` hook gave no valid answer in time, and the order is not sold without one.',
  shipping_rates_unanswered:
    'The store’s `shipping_rates` hook gave no valid answer in time, and the order is not sold without one.',
  stock_unanswered: 'The store’s `stock` hook gave no valid answer in time; nothing was charged.',
  risk_unanswered: 'The store’s `risk` hook gave no valid answer in time; nothing was charged.',
  upstream_timeout: 'An upstream service did not answer in time.',
}

const hookFix =
  'Repeat the request after `Retry-After`. If it persists, see that your server answers the hook, or set its `onFailure` to `continue`.'

/** How to fix an error, by code, for the same page. */
export const errorFixes: Record<ErrorCode, string> = {
  http_invalid: 'Send the request with an HTTP library; do not write it by hand.',
  request_timeout: 'Send the whole request at once, over a faster connection.',
  address_too_long: 'Send the data in the body, or fewer parameters.',
  headers_too_large: 'Send fewer or smaller headers; the API needs no cookies.',
  parameter_missing: 'Send the parameter that `param` names.',
  parameter_invalid:
    'Correct the parameter; `issues` lists every problem of the request, so that you can fix all of them at once.',
  json_invalid: 'Serialize the body with a JSON library: UTF-8, no repeated names, no trailing commas, no comments.',
  amount_invalid: 'Send minor units as an integer: 19.99 USD is `1999`, 1,999 JPY is `1999`.',
  currency_unsupported:
    'Send an upper-case ISO 4217 code that the price has an amount in, or add the amount to the price.',
  token_invalid:
    'Pass on what `card.tokenize()` returned, unchanged, with a secret key of the same account and the id of the same store. Test tokens such as `tok_visa` work in `local` and `development` only.',
  token_expired: 'Call `card.tokenize()` when the buyer pays, not when the page loads, and send the token at once.',
  token_used:
    'Create one payment instrument per token and keep its id. To repeat a request safely, send an `Idempotency-Key`.',
  idempotency_key_invalid: 'Send the header once, for example with a UUID.',
  idempotency_key_reused:
    'Use a new key for a new request; send the same method, path and body again only when you retry.',
  api_key_missing: 'Send `Authorization: Bearer <key>`. In `local`, keys are in `.tillwright/local.json`.',
  api_key_invalid:
    'Check that the key was copied whole and belongs to this platform. Secret keys are for servers, publishable keys for pages of their allowed origins.',
  api_key_revoked: 'Create a new key: `tillwright keys create`.',
  api_key_wrong_environment: 'Use `live_` keys in `production` and `test_` keys everywhere else.',
  session_token_missing: 'Send the token that the new session returned: `Authorization: Bearer fstok_...`.',
  session_token_invalid: 'Use the session’s token, not an API key; if it was lost, create a new session.',
  session_token_expired: 'Create a new session.',
  session_token_replaced: 'Continue in the page that the session was handed to, or create a new session.',
  card_declined: 'Ask the buyer for another card, or to contact the bank. Do not retry the same card automatically.',
  insufficient_funds: 'Ask the buyer for another card, or to try again later.',
  expired_card: 'Ask the buyer for another card.',
  incorrect_cvc: 'Ask the buyer to enter the security code again.',
  processing_error: 'Try again after a moment, with a new `Idempotency-Key`; then ask for another card.',
  authentication_required:
    'Create the payment again with a flow that has `threeDsEnabled`, and let the buyer authenticate.',
  no_eligible_processor:
    'Read `attempts` of the payment, or `tillwright payments explain`: it lists each processor and why it was left out.',
  abuse_blocked: 'Wait until the flow’s `blockSeconds` are over, or raise its limits.',
  risk_refused: 'Ask the buyer for another way to pay; your own server knows why it refused.',
  sign_in_required:
    'Sign in at `/console/sign-in`. What the console alone may do, such as approving a refund, no key may: ask a member.',
  sign_in_failed:
    'Begin the sign-in again. Without a passkey, use a recovery code, or ask an owner or the operator for a new invitation.',
  cross_site_refused:
    'Send the request from a page of the console’s own origin, with the header `Tillwright-Console: 1`. Servers use an API key instead.',
  role_required:
    'Use a key with the role `org:admin`: `tillwright keys create --role org:admin`; or ask a member whose role the message names.',
  scope_missing:
    'Use a key with the scope that the message names, or with a role that includes it; or ask a member whose role has it.',
  operator_required:
    'Ask whoever runs the platform, who names that account in `TILLWRIGHT_OPERATOR_ACCOUNT`; other accounts have no use for the operation.',
  challenge_required:
    'The card form shows the challenge by itself; a form of your own sends its response as `challengeResponse`.',
  resource_missing: 'Check the id in `param`, and that the key is of the account that owns the object.',
  route_not_found: 'Check the path and its version against the reference.',
  method_not_allowed: 'Use a method from `Allow`.',
  idempotency_key_in_use: 'Wait for the first request, or repeat this one after `Retry-After`.',
  resource_exists: 'Use the existing object, or choose another id or value.',
  state_conflict: 'Read the object again; the message says which state it is in and what it allows.',
  revision_conflict: 'Compare `current` with your change, then send what you still mean with `currentRevision`.',
  promotion_exhausted: 'Remove the code from the order, or raise `usageLimit` of the promotion.',
  out_of_stock: 'Remove the line or lower its quantity.',
  body_too_large: 'Send less: fewer objects per request, files as assets.',
  content_type_unsupported: 'Send `Content-Type: application/json`.',
  rate_limit_exceeded: 'Wait for `Retry-After` seconds, then repeat the request. `RateLimit` shows what is left.',
  concurrency_exceeded:
    'Send the next request when one of the running ones has finished. Close streams that are not read any more.',
  internal: 'Repeat the request with the same `Idempotency-Key`. If it persists, report the `requestId`.',
  upstream_failed: 'Repeat the request with the same `Idempotency-Key`; nothing was charged twice.',
  unavailable: 'Repeat the request after `Retry-After`.',
  tax_unanswered: hookFix,
  shipping_rates_unanswered: hookFix,
  stock_unanswered: hookFix,
  risk_unanswered: hookFix,
  upstream_timeout: 'Read the object before you repeat the request: its outcome is found out in the background.',
}
