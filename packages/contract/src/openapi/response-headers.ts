import { exampleId } from '../ids.ts'
import type { ErrorCode } from '../errors.ts'
import type { Operation } from '../operation.ts'
import type { Json } from './json.ts'

/** Every header of an answer that a caller may want to read. */
const headers = {
  'X-Request-Id': {
    description: 'The id of the request: name it when you ask for help.',
    schema: { type: 'string', examples: [exampleId('request')] },
  },
  RateLimit: {
    description: 'What is left: `r` requests now, `t` seconds until the next one is regained.',
    schema: { type: 'string', examples: ['"standard";r=149;t=1'] },
  },
  'RateLimit-Policy': {
    description: 'The plan of the account: `q` requests in `w` seconds.',
    schema: { type: 'string', examples: ['"standard";q=100;w=60'] },
  },
  'Retry-After': {
    description: 'In how many seconds to try again.',
    schema: { type: 'integer', minimum: 1, examples: [1] },
  },
  'Idempotent-Replayed': {
    description: 'The answer is the one that the first request with this `Idempotency-Key` got.',
    schema: { type: 'string', enum: ['true'] },
  },
  Link: {
    description: 'The address of the next page, as `rel="next"`; without it this page is the last.',
    schema: { type: 'string', examples: ['</api/public/v1/payment-flows?limit=20&after=flow_...>; rel="next"'] },
  },
  'WWW-Authenticate': {
    description: 'How to authenticate.',
    schema: { type: 'string', enum: ['Bearer'] },
  },
} satisfies Record<string, Json>

type Header = keyof typeof headers

/** The headers of an operation's success. */
export function successHeaders({ idempotent, headers: own = [] }: Operation, shared: Json): Json {
  return referred(['X-Request-Id', ...quota, ...(idempotent ? (['Idempotent-Replayed'] as const) : []), ...own], shared)
}

/** The headers of an operation's errors with one status. */
export function errorHeaders(
  { idempotent }: Operation,
  { status, codes }: { status: number; codes: ReadonlySet<ErrorCode> },
  shared: Json,
): Json {
  const waits = status === 429 || status === 503 || codes.has('idempotency_key_in_use')
  const names: Header[] = [
    'X-Request-Id',
    ...(status === 401 ? (['WWW-Authenticate'] as const) : quota),
    ...(waits ? (['Retry-After'] as const) : []),
    ...(idempotent && isStored(status) ? (['Idempotent-Replayed'] as const) : []),
  ]
  return referred(names, shared)
}

const quota = ['RateLimit', 'RateLimit-Policy'] as const

/** Refusals before the request is read, a full bucket and faults are never replayed. */
function isStored(status: number): boolean {
  return status < 500 && ![401, 403, 413, 429].includes(status)
}

function referred(names: readonly Header[], shared: Json): Json {
  for (const name of names) shared[name] = headers[name]
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))
}
