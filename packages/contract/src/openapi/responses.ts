import { errorBody, type ErrorBody } from '../error-body.ts'
import { type ErrorCode, errorKinds, errorMeanings } from '../errors.ts'
import { exampleId } from '../ids.ts'
import { isReadById, type Operation } from '../operation.ts'
import type { Components, Header, Reference, Response } from './document.ts'
import { schemaOf } from './schema-of.ts'

/** Errors that every operation can return. */
const always: readonly ErrorCode[] = ['rate_limit_exceeded', 'internal', 'unavailable']

/** Errors of API keys, and of session tokens. */
const keyErrors: readonly ErrorCode[] = [
  'api_key_missing',
  'api_key_invalid',
  'api_key_revoked',
  'api_key_wrong_environment',
]
const sessionErrors: readonly ErrorCode[] = [
  'session_token_missing',
  'session_token_invalid',
  'session_token_expired',
  'session_token_replaced',
]

/** Errors of the sessions of members. */
const consoleErrors: readonly ErrorCode[] = ['sign_in_required', 'cross_site_refused']

/**
 * The error responses of an operation by status: the description of each code, and an example body.
 *
 * @param docsUrl The reference page that the bodies link to.
 */
export function errorResponses(
  operation: Operation,
  docsUrl: string,
  components: Components,
): Record<string, Response> {
  const byStatus = new Map<number, Set<ErrorCode>>()
  for (const code of codesOf(operation)) {
    const { status } = errorKinds[code]
    byStatus.set(status, (byStatus.get(status) ?? new Set()).add(code))
  }
  return Object.fromEntries(
    [...byStatus]
      .toSorted(([a], [b]) => a - b)
      .map(([status, codes]) => [
        status,
        {
          description: [...codes].map((code) => `- \`${code}\`: ${errorMeanings[code]}`).join('\n'),
          headers: errorHeaders(operation, { status, codes }, components.headers),
          content: {
            'application/json': {
              schema: schemaOf(errorBody, 'output', components.schemas),
              examples: examplesOf(codes, docsUrl, components.examples),
            },
          },
        },
      ]),
  )
}

function codesOf({ audience, scope, body, bytes, query, params, idempotent, errors }: Operation): ErrorCode[] {
  const role: ErrorCode[] = [
    ...(audience === 'admin' ? (['role_required'] as const) : []),
    ...(scope ? (['scope_missing'] as const) : []),
  ]
  const request: ErrorCode[] = body
    ? ['parameter_missing', 'parameter_invalid', 'json_invalid', 'body_too_large', 'content_type_unsupported']
    : bytes
      ? ['parameter_invalid', 'body_too_large', 'content_type_unsupported']
      : query || params
        ? ['parameter_invalid']
        : []
  const key: ErrorCode[] = idempotent
    ? ['idempotency_key_invalid', 'idempotency_key_reused', 'idempotency_key_in_use']
    : []
  const callers = audience === 'session' ? sessionErrors : audience === 'console' ? consoleErrors : keyErrors
  return [...request, ...role, ...errors, ...key, ...callers, ...always]
}

/** Additional fields in the example of an error. */
const exampleDetails: Partial<Record<ErrorCode, Pick<ErrorBody['error'], 'param' | 'declineCode' | 'paymentId'>>> = {
  parameter_missing: { param: 'name' },
  parameter_invalid: { param: 'name' },
  amount_invalid: { param: 'variants[0].prices[0].currencyOptions.USD.amount' },
  currency_unsupported: { param: 'variants[0].prices[0].currencyOptions.XYZ' },
  token_invalid: { param: 'serviceToken' },
  token_expired: { param: 'serviceToken' },
  token_used: { param: 'serviceToken' },
  resource_missing: { param: 'storeId' },
  card_declined: { declineCode: 'generic_decline', paymentId: exampleId('payment') },
  insufficient_funds: { declineCode: 'insufficient_funds', paymentId: exampleId('payment') },
  expired_card: { declineCode: 'expired_card', paymentId: exampleId('payment') },
  incorrect_cvc: { declineCode: 'incorrect_cvc', paymentId: exampleId('payment') },
  processing_error: { declineCode: 'processing_error', paymentId: exampleId('payment') },
  authentication_required: { declineCode: 'authentication_required', paymentId: exampleId('payment') },
}

function examplesOf(
  codes: ReadonlySet<ErrorCode>,
  docsUrl: string,
  shared: Components['examples'],
): Record<string, Reference> {
  for (const code of codes) shared[code] = { value: bodyOf(code, docsUrl) }
  return Object.fromEntries([...codes].map((code) => [code, { $ref: `#/components/examples/${code}` }]))
}

function bodyOf(code: ErrorCode, docsUrl: string): ErrorBody {
  const { type, class: errorClass } = errorKinds[code]
  const message = errorMeanings[code].replaceAll('`', '')
  const { param, ...more } = exampleDetails[code] ?? {}
  return {
    error: {
      type,
      code,
      message,
      ...(param !== undefined && { param }),
      ...more,
      docUrl: `${docsUrl}/errors#${code}`,
      requestId: exampleId('request'),
    },
    message,
    code: errorClass,
    issues: [{ message, path: param ?? '', code }],
  }
}

/** As the platform makes them: a revision, if the object has one, and a hash. */
export const exampleEntityTag = '"3-n4bQgYhMfWWaL-qgxVrQFa"'

/** All response headers that callers may want to read. */
const headers = {
  'X-Request-Id': {
    description: 'The id of the request: include it when you contact support.',
    schema: { type: 'string', examples: [exampleId('request')] },
  },
  RateLimit: {
    description: 'The remaining quota: `r` requests now, `t` seconds until the next one is regained.',
    schema: { type: 'string', examples: ['"standard";r=149;t=1'] },
  },
  'RateLimit-Policy': {
    description: 'The account’s plan: `q` requests in `w` seconds.',
    schema: { type: 'string', examples: ['"standard";q=100;w=60'] },
  },
  'Retry-After': {
    description: 'The number of seconds to wait before trying again.',
    schema: { type: 'integer', minimum: 1, examples: [1] },
  },
  'Idempotent-Replayed': {
    description: 'The response is a stored one: that of the first request with this `Idempotency-Key`.',
    schema: { type: 'string', enum: ['true'] },
  },
  Link: {
    description: 'The address of the next page, as `rel="next"`; missing on the last page.',
    schema: { type: 'string', examples: ['</api/public/v1/payment-flows?limit=20&after=flow_...>; rel="next"'] },
  },
  ETag: {
    description:
      'The entity tag of exactly this answer: for `If-None-Match`, and of an object with a `revision` for `If-Match`.',
    schema: { type: 'string', examples: [exampleEntityTag] },
  },
  'WWW-Authenticate': {
    description: 'The authentication scheme.',
    schema: { type: 'string', enum: ['Bearer', 'Cookie'] },
  },
} satisfies Record<string, Header>

type HeaderName = keyof typeof headers

/** References to headers, by their names. */
type Referred = Record<string, Reference>

/** The headers of an operation's successful response. */
export function successHeaders(operation: Operation, shared: Components['headers']): Referred {
  const { idempotent, headers: own = [] } = operation
  const names: HeaderName[] = [
    'X-Request-Id',
    ...quota,
    ...(idempotent ? (['Idempotent-Replayed'] as const) : []),
    ...(isReadById(operation) ? (['ETag'] as const) : []),
    ...own,
  ]
  return referred(names, shared)
}

/** The answer to a read by id whose client has the object already; nothing for other operations. */
export function unchangedResponse(operation: Operation, shared: Components['headers']): Record<string, Response> {
  if (!isReadById(operation)) return {}
  const description = 'Not modified: it is as the entity tag in `If-None-Match` says. Without a body.'
  return { 304: { description, headers: successHeaders(operation, shared) } }
}

/** The headers of an operation's error responses with one status. */
function errorHeaders(
  { idempotent }: Operation,
  { status, codes }: { status: number; codes: ReadonlySet<ErrorCode> },
  shared: Components['headers'],
): Referred {
  const waits = status === 429 || status === 503 || codes.has('idempotency_key_in_use')
  const names: HeaderName[] = [
    'X-Request-Id',
    ...(status === 401 ? (['WWW-Authenticate'] as const) : quota),
    ...(waits ? (['Retry-After'] as const) : []),
    ...(idempotent && isStored(status) ? (['Idempotent-Replayed'] as const) : []),
  ]
  return referred(names, shared)
}

const quota = ['RateLimit', 'RateLimit-Policy'] as const

/**
 * Responses are not stored if the request was refused before it was read, exceeded a rate limit, or failed on our side.
 */
function isStored(status: number): boolean {
  return status < 500 && ![401, 403, 413, 429].includes(status)
}

function referred(names: readonly HeaderName[], shared: Components['headers']): Referred {
  for (const name of names) shared[name] = headers[name]
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))
}
