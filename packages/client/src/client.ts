import {
  type CallOf,
  contract,
  type Contract,
  type EntryOf,
  type Operation,
  type ResponseOf,
} from '@tillwright/contract'
import { eventStream, type StreamOptions } from './event-stream.ts'
import { newIdempotencyKey } from './idempotency-key.ts'
import { buildRequest, type CallOptions, checkedWhole, type ClientEnvironment, send } from './request.ts'
import { TillwrightError } from './tillwright-error.ts'

/** Options of `createClient`. */
export interface ClientOptions extends Partial<ClientEnvironment> {
  /** A secret key of the account: `test_sk_...` or `live_sk_...`. Never a publishable one. */
  apiKey: string
  /** The platform's address, such as `http://localhost:4400`. */
  baseUrl: string
  /** The time limit of one attempt; 30,000 by default. */
  timeoutMs?: number
  /** How often a failed attempt is retried; 2 by default. */
  maxRetries?: number
}

/**
 * A client of the Tillwright API, for servers.
 *
 * Network failures, 429, 5xx and requests whose `Idempotency-Key` is still in progress are retried after a growing
 * pause, or after the one in `Retry-After`. Every writing call has an `Idempotency-Key`, the same for all attempts, so
 * retries never do the work twice. An error without a `status`, or with one of 500 and more, leaves open whether a write was
 * done. Every other one says that this call has not done it; of an earlier call under a key of yours, 401, 403, 429,
 * `idempotency_key_in_use` and `idempotency_key_reused` say nothing.
 *
 * Redirects are not followed, and a live key is only sent over HTTPS or to this machine.
 *
 * @throws {TillwrightError} `options_invalid` if the key is missing or not a secret key, the address is invalid, a live
 *   key would be sent unencrypted, or a number is none.
 */
export function createClient(options: ClientOptions): Client {
  const apiKey = checkedKey(options.apiKey)
  const settings = {
    apiKey,
    baseUrl: checkedBaseUrl(options.baseUrl, apiKey),
    timeoutMs: checkedWhole('timeoutMs', options.timeoutMs ?? 30_000, 1),
    maxRetries: checkedWhole('maxRetries', options.maxRetries ?? 2, 0),
  }
  const surroundings = { ...machine, ...given(options) }
  const method = (operation: Operation) => {
    if (operation.eventStream === true) {
      return (input: object = {}, streamOptions: StreamOptions = {}) =>
        eventStream(operation, input, { ...settings, ...surroundings, ...streamOptions })
    }
    const call = async (input: object = {}, callOptions: CallOptions = {}) =>
      send(buildRequest(operation, input), callOptions, { ...settings, ...surroundings })
    return operation.list === undefined ? call : Object.assign(call, { all: allPages(call) })
  }
  const groups = Object.entries<Record<string, Operation>>(contract).map(([group, operations]) => {
    const offered = Object.entries(operations).filter(([, { audience }]) => audience === 'key' || audience === 'admin')
    return [group, Object.fromEntries(offered.map(([name, operation]) => [name, method(operation)]))] as const
  })
  // `Client` lists exactly the operations of these audiences, which the loop above has added.
  return Object.fromEntries(groups.filter(([, methods]) => Object.keys(methods).length > 0)) as unknown as Client
}

const machine: ClientEnvironment = {
  fetch: (address, init) => fetch(address, init),
  now: () => Date.now(),
  random: () => Math.random(),
  newKey: () => newIdempotencyKey(),
  sleep,
}

/** The options that replace functions of the environment. */
function given(options: Partial<ClientEnvironment>): Partial<ClientEnvironment> {
  const names = ['fetch', 'now', 'random', 'newKey', 'sleep'] as const
  return Object.fromEntries(names.flatMap((name) => (options[name] === undefined ? [] : [[name, options[name]]])))
}

/**
 * The API as available to an account's key: `client.<group>.<operation>(input, options?)`, one method for each
 * operation of the contract with the audience `key` or `admin`. Every method rejects with a `TillwrightError`.
 */
export type Client = {
  readonly [Group in keyof Contract as KeyOperation<Contract[Group]> extends never ? never : Group]: {
    readonly [Name in KeyOperation<Contract[Group]>]: KeyMethod<OperationAt<Contract[Group], Name>>
  }
}

/**
 * The entries of a list, page after page, each page asked for when the one before it has been gone through.
 *
 * @param call Reads one page.
 */
function allPages(call: (input: object, options?: CallOptions) => Promise<unknown>) {
  return async function* all(input: object = {}, options: CallOptions = {}): AsyncGenerator<unknown> {
    for (let after: object = {}; ;) {
      // Operations with `list` answer pages.
      const page = (await call({ ...input, ...after }, options)) as { data: unknown[]; nextCursor: string | null }
      yield* page.data
      if (page.nextCursor === null) return
      after = { after: page.nextCursor }
    }
  }
}

/**
 * One operation as a method. The input is optional if none of its fields are required. A list has a second method,
 * `all`, which goes through the entries of all pages: `for await (const payment of client.payments.list.all({ q }))`. An
 * event stream yields its messages' data: `for await (const event of client.eventLog.stream())`.
 */
export type KeyMethod<Op extends Operation> = Op extends { eventStream: true }
  ? (input?: InputOf<Op>, options?: StreamOptions) => AsyncGenerator<ResponseOf<Op>>
  : CallMethod<Op> & ListMethod<Op>

type ListMethod<Op extends Operation> = [EntryOf<Op>] extends [never]
  ? unknown
  : { all: (input?: InputOf<Op>, options?: CallOptions) => AsyncGenerator<EntryOf<Op>> }

type CallMethod<Op extends Operation> = (
  ...args: Record<never, never> extends InputOf<Op>
    ? [input?: InputOf<Op>, options?: CallOptions]
    : [input: InputOf<Op>, options?: CallOptions]
) => Promise<ResponseOf<Op>>

/**
 * The input of a method: the operation's path parameters, query and body in one object. If a body may repeat a path
 * parameter, the value is sent with the path; no other name is in two of them, which a test verifies.
 */
export type InputOf<Op extends Operation> = Merged<CallOf<Op>>

type Merged<Parts> = (
  { [Part in keyof Parts]: (part: Parts[Part]) => void }[keyof Parts] extends (part: infer All) => void ? All : never
) extends infer Whole
  ? unknown extends Whole
    ? Record<never, never>
    : { [Key in keyof Whole]: Whole[Key] }
  : never

type KeyOperation<Group> = {
  [Name in keyof Group]: Group[Name] extends { audience: 'key' | 'admin' } ? Name : never
}[keyof Group]

type OperationAt<Group, Name extends keyof Group> = Extract<Group[Name], Operation>

/**
 * Checks a secret key. The error's message does not repeat the key, because it may be logged.
 *
 * @throws {TillwrightError} `options_invalid`.
 */
function checkedKey(apiKey: unknown): string {
  if (typeof apiKey !== 'string' || apiKey === '') {
    throw refused('apiKey', 'is missing. Pass the secret key of your account, which starts with test_sk_ or live_sk_.')
  }
  if (/^(test|live)_pk_/.test(apiKey)) {
    throw refused(
      'apiKey',
      'is a publishable key, which is for browsers. Pass the secret key, which starts with test_sk_ or live_sk_.',
    )
  }
  if (!/^(test|live)_sk_[A-Za-z0-9]+$/.test(apiKey)) {
    throw refused(
      'apiKey',
      'is not a secret key. A secret key is test_sk_ or live_sk_ followed by letters and digits, without spaces.',
    )
  }
  return apiKey
}

/**
 * Validates the address and removes a trailing slash.
 *
 * @throws {TillwrightError} `options_invalid` if it is not an absolute http or https address, or a live key would be
 *   sent there unencrypted.
 */
function checkedBaseUrl(baseUrl: unknown, apiKey: string): string {
  const url = typeof baseUrl === 'string' ? URL.parse(baseUrl) : null
  if (url === null || !/^https?:$/.test(url.protocol) || url.username !== '' || url.search !== '' || url.hash !== '') {
    throw refused('baseUrl', 'must be the address of the platform, such as http://localhost:4400.')
  }
  if (url.protocol === 'http:' && apiKey.startsWith('live_') && !isLoopback(url)) {
    throw refused('baseUrl', 'must be an https:// address: a live key is never sent unencrypted.')
  }
  return url.href.replace(/\/+$/, '')
}

function isLoopback({ hostname }: URL): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127(?:\.\d{1,3}){3}$/.test(hostname)
}

function refused(param: string, problem: string): TillwrightError {
  return new TillwrightError('options_invalid', `\`${param}\` ${problem}`, { param })
}

/** Resolves after the time, or as soon as the signal is aborted. Never rejects. */
function sleep(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(wake, ms)
    function wake() {
      clearTimeout(timer)
      signal?.removeEventListener('abort', wake)
      resolve()
    }
    signal?.addEventListener('abort', wake)
    if (signal?.aborted) wake()
  })
}
