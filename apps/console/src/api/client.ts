import type { InputOf } from '@tillwright/client'
import type { Contract, EntryOf, ErrorIssue, Operation, ResponseOf } from '@tillwright/contract'
import { operations } from 'virtual:operations'
import type { ConsoleOperation } from './operations.ts'

/** Options of one call. */
export interface CallOptions {
  signal?: AbortSignal
  /** Of a change: the same for every attempt to make it. A new one for each call unless given. */
  idempotencyKey?: string
}

/** The operations that a member may call, as methods: `api.payments.get({ paymentId })`. */
export type Api = {
  readonly [Group in keyof Contract]: {
    readonly [Name in MemberOperation<Contract[Group]>]: Method<Extract<Contract[Group][Name], Operation>>
  }
}

type MemberOperation<Group> = {
  [Name in keyof Group]: Group[Name] extends { audience: 'key' | 'admin' | 'console' } ? Name : never
}[keyof Group]

type Method<Op extends Operation> = (
  ...args: Record<never, never> extends InputOf<Op>
    ? [input?: InputOf<Op>, options?: CallOptions]
    : [input: InputOf<Op>, options?: CallOptions]
) => Promise<ResponseOf<Op>>

/** The names of operations as `me.get` lists them: `payments.refund`. */
export type OperationName = {
  [Group in keyof Contract]: `${Group}.${MemberOperation<Contract[Group]> & string}`
}[keyof Contract]

/** The lists of the contract: `payments.list`. */
export type ListName = {
  [Group in keyof Contract]: {
    [Name in keyof Contract[Group]]: Contract[Group][Name] extends { list: object }
      ? `${Group}.${Name & string}`
      : never
  }[keyof Contract[Group]]
}[keyof Contract]

/** One entry of a list, by the list's name. */
export type ListEntry<Name extends ListName> = Name extends `${infer Group}.${infer Op}`
  ? Group extends keyof Contract
    ? Op extends keyof Contract[Group]
      ? EntryOf<Extract<Contract[Group][Op], Operation>>
      : never
    : never
  : never

/** Error response of the platform, or a request without a response. `code` is stable. */
export class ApiFailure extends Error {
  override readonly name = 'ApiFailure'
  readonly code: string
  /** The HTTP status; 0 when there was no answer. */
  readonly status: number
  readonly requestId: string | null
  /** The field that the refusal is about, or `null`. */
  readonly param: string | null
  readonly issues: readonly ErrorIssue[]
  /** With `revision_conflict`: the object as it is now. */
  readonly current: unknown
  /** Whether the platform has said nothing: no answer came, or one of a proxy before it. */
  readonly isUnanswered: boolean

  constructor(status: number, body: FailureBody) {
    super(body.message ?? `The platform answered ${status}.`)
    this.status = status
    this.requestId = body.error?.requestId ?? null
    this.code = body.error?.code ?? body.code ?? 'unknown'
    this.param = body.error?.param ?? null
    this.issues = body.issues ?? []
    this.current = body.error?.current ?? null
    this.isUnanswered = status === 0 || (status >= 500 && body.error === undefined)
  }
}

interface FailureBody {
  message?: string
  code?: string
  error?: { code?: string; param?: string | null; current?: unknown; requestId?: string }
  issues?: readonly ErrorIssue[]
}

/** One operation of the contract, by its name. */
export function operationOf(name: OperationName): ConsoleOperation {
  const [group = '', operation = ''] = name.split('.')
  const found = operations[group]?.[operation]
  if (found === undefined) throw new Error(`The contract has no operation ${name}.`)
  return found
}

let workingIn: string | null = null

/**
 * Has reads that could be about a store, and name none, be about this one: members of some stores may not read about the whole
 * account.
 *
 * @param storeId `null` for the whole account.
 */
export function workIn(storeId: string | null): void {
  workingIn = storeId
}

/** Calls one operation of the contract by its name, without types; `api` has them. */
export async function call(name: OperationName, input: object = {}, options: CallOptions = {}): Promise<unknown> {
  const response = await request(name, input, { ...options, accept: 'application/json' })
  return response.json()
}

/**
 * Sends the request of an operation.
 *
 * @returns The successful response, unread.
 * @throws {ApiFailure} For any other outcome.
 */
export async function request(
  name: OperationName,
  input: object,
  { signal, idempotencyKey, accept }: CallOptions & { accept: string },
): Promise<Response> {
  const operation = operationOf(name)
  const { path, body } = addressOf(operation, input)
  const headers: Record<string, string> = { Accept: accept, 'Tillwright-Console': '1' }
  if (body !== undefined) headers['Content-Type'] = 'application/json'
  if (operation.once === true) headers['Idempotency-Key'] = idempotencyKey ?? crypto.randomUUID()
  return send(path, { method: operation.method, headers, ...(body !== undefined && { body }), signal: signal ?? null })
}

/** Posts one step of a sign-in, which is no operation of the contract. */
export async function postStep<Result>(path: `/console/${string}`, body: object): Promise<Result> {
  const headers = { 'Content-Type': 'application/json', 'Tillwright-Console': '1' }
  const response = await send(path, { method: 'POST', headers, body: JSON.stringify(body) })
  return (await response.json()) as Result
}

/** How long an answer may take to begin: more than twice the time after which the platform answers anything. */
const PATIENCE_MS = 20_000

async function send(path: string, init: RequestInit): Promise<Response> {
  const { signal = null } = init
  const silence = new AbortController()
  const timer = setTimeout(() => silence.abort(), PATIENCE_MS)
  const either = AbortSignal.any(signal === null ? [silence.signal] : [silence.signal, signal])
  const response = await fetch(path, { ...init, signal: either, credentials: 'same-origin', redirect: 'error' })
    .catch((error: unknown) => {
      if (signal?.aborted === true) throw error
      throw new ApiFailure(0, { code: 'connection_failed' })
    })
    .finally(() => clearTimeout(timer))
  if (response.ok) return response
  const failure = (await response.json().catch(() => ({}))) as FailureBody
  throw new ApiFailure(response.status, failure)
}

/** The path with its parameters filled in, and what is left of the input as its query or body. */
export function addressOf(
  { method, path, ofStore }: Pick<ConsoleOperation, 'method' | 'path' | 'ofStore'>,
  input: object,
): { path: string; body?: string } {
  const rest = new Map<string, unknown>(Object.entries(input))
  if (ofStore === true && workingIn !== null && !rest.get('storeId')) rest.set('storeId', workingIn)
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = rest.get(name)
    rest.delete(name)
    // An id that were '..' would be another address. It is not repeated: whoever made the link would speak in our name.
    if (typeof value !== 'string' || !/^[\w.-]+$/.test(value) || /^\.+$/.test(value))
      throw new ApiFailure(404, { code: 'resource_missing', message: 'The address has no id where one belongs.' })
    return encodeURIComponent(value)
  })
  if (method !== 'GET') return { path: filled, body: JSON.stringify(Object.fromEntries(rest)) }
  const query = new URLSearchParams()
  for (const [name, value] of rest) {
    if (value !== undefined && value !== '') query.set(name, typeof value === 'string' ? value : JSON.stringify(value))
  }
  return { path: query.size === 0 ? filled : `${filled}?${query}` }
}

function methodOf(name: OperationName) {
  return (input?: object, options?: CallOptions) => call(name, input, options)
}

const groups = Object.entries(operations).map(([group, names]) => {
  // The keys of the table are those of the contract.
  const methods = Object.keys(names).map((name) => [name, methodOf(`${group}.${name}` as OperationName)] as const)
  return [group, Object.fromEntries(methods)] as const
})

/** The typed client of the console: the session's cookie goes with each request. */
// `Api` has the groups and operations of the contract; `groups` was made of the same names, which `contract-table.ts` reads
// from the contract. What each takes and answers is the contract's, by which `request` builds and the platform answers.
export const api = Object.fromEntries(groups) as Api
