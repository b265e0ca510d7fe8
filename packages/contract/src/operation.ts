import type { z } from 'zod'
import type { ErrorCode } from './errors.ts'
import { BODY_MAX_BYTES, BODY_MAX_VALUES, PAGE_BODY_MAX_BYTES, PAGE_BODY_MAX_VALUES } from './limits.ts'
import type { EventType } from './resources/event-types.ts'

/**
 * Who may call an operation. `key`: an account's secret API key; `admin`: such a key with the role org:admin;
 * `page`: a buyer's page that has no session yet, with a publishable key from one of its origins; `session`: a buyer's
 * session token, in the browser; `frame`: the card and 3DS frames, with a publishable key; `console`: a person signed in
 * to the dashboard.
 */
export type Audience = 'key' | 'admin' | 'page' | 'session' | 'frame' | 'console'

/** The audiences whose requests come from a browser's page on any origin, to the API's own. */
export const pageAudiences: readonly Audience[] = ['page', 'session']

/**
 * One operation of the API.
 *
 * `path` names its parameters in braces. `description` is what the reference adds to the summary, in Markdown; audience,
 * scope, events and idempotency are told from their fields. `headers` are those that its success alone has. `idempotent` says that an `Idempotency-Key` is honoured: `unit` when all
 * effects are one unit of writes that the answer is stored with; `lease` when the operation calls somebody outside, so
 * that the key is claimed before and the answer stored after; `repeatable` when that call may also be made again, so that
 * a claim which a dead process left behind is taken over. `secretAnswer` says that the answer holds a secret, so that it
 * is kept for its key encrypted. `limit` is the largest body in bytes and `maxValues` the most values in it, where
 * they are not those of the audience (`bodyLimitsOf`). `files` names the field of the body whose items are files: the text
 * of these, their `content`, is a program's or a picture's. `bytes` says that the body is plain bytes, of any type: such an operation stands in `byte-operations.ts`. `errors` lists what is
 * particular to the operation; those of the request's way (401, 429, ...) always apply.
 */
export interface Operation {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  path: `/api/${string}`
  audience: Audience
  scope?: Scope
  summary: string
  description?: string
  params?: z.ZodObject
  query?: z.ZodObject
  body?: z.ZodType
  status: 200 | 201
  response: z.ZodType
  headers?: readonly 'Link'[]
  errors: readonly ErrorCode[]
  emits?: readonly EventType[]
  idempotent?: 'unit' | 'lease' | 'repeatable'
  secretAnswer?: true
  limit?: number
  maxValues?: number
  files?: string
  bytes?: true
}

/** What a body may measure. */
export interface BodyLimits {
  bytes: number
  /** Objects, arrays and what stands in them; names not counted. */
  values: number
}

/** Those who call from a buyer's browser, where anybody may be. */
const inBrowsers: readonly Audience[] = [...pageAudiences, 'frame']

/** What the body of an operation may measure. */
export function bodyLimitsOf({ audience, limit, maxValues }: Operation): BodyLimits {
  const ofPages = inBrowsers.includes(audience)
  return {
    bytes: limit ?? (ofPages ? PAGE_BODY_MAX_BYTES : BODY_MAX_BYTES),
    values: maxValues ?? (ofPages ? PAGE_BODY_MAX_VALUES : BODY_MAX_VALUES),
  }
}

type Parsed<Schema> = Schema extends z.ZodType ? z.output<Schema> : undefined

/** What a handler of the operation receives: parsed, with defaults filled in. */
export interface RequestOf<Op extends Operation> {
  params: Parsed<Op['params']>
  query: Parsed<Op['query']>
  body: Parsed<Op['body']>
}

type Sent<Schema> = Schema extends z.ZodType ? z.input<Schema> : undefined

/** What a caller of the operation sends, each part only where the operation has it. */
export type CallOf<Op extends Operation> = {
  [Part in 'params' | 'query' | 'body' as Op[Part] extends z.ZodType ? Part : never]: Sent<Op[Part]>
}

/** The body of the operation's success. */
export type ResponseOf<Op extends Operation> = z.output<Op['response']>

/** What a key's scopes are about. */
const scopedResources = [
  'stores',
  'products',
  'promotions',
  'payment-flows',
  'payment-instruments',
  'payments',
  'orders',
  'subscriptions',
  'threeds',
  'funnels',
  'plugins',
] as const

/** What a key without org:admin needs for an operation: `<resource>:read` or `<resource>:write`. */
export type Scope = `${(typeof scopedResources)[number]}:${'read' | 'write'}`

/** Every scope that a key can be given. Neither of a resource's two implies the other. */
export const scopes: readonly Scope[] = scopedResources.flatMap((resource): Scope[] => [
  `${resource}:read`,
  `${resource}:write`,
])
