import { type CallOf, contract, type Contract, type Operation, type ResponseOf } from '@tillwright/contract'
import { buildRequest, type CallOptions, type ClientEnvironment, send } from './request.ts'
import { TillwrightError } from './tillwright-error.ts'

/** Options of `createClient`. */
export interface ClientOptions extends Partial<ClientEnvironment> {
  /** A secret key of the account: `test_sk_...` or `live_sk_...`. Never a publishable one. */
  apiKey: string
  /** Where the platform answers, such as `http://localhost:4400`. */
  baseUrl: string
  /** The time limit of one attempt; 30,000 by default. */
  timeoutMs?: number
  /** How often a failed attempt is repeated; 2 by default. */
  maxRetries?: number
}

/**
 * A client of the Tillwright API, for servers.
 *
 * Network failures, 429, 5xx and a request whose `Idempotency-Key` is still in flight are tried again after a growing
 * pause or the one that `Retry-After` asks for. Every writing call carries an `Idempotency-Key`, the same in all
 * attempts, so a repetition never does the work twice.
 *
 * Redirects are not followed, and a live key goes over HTTPS or to this machine only.
 *
 * @throws {TillwrightError} `options_invalid` when the key is missing or not a secret one, the address is not one, or a
 *   live key would be sent unencrypted.
 */
export function createClient(options: ClientOptions): Client {
  const apiKey = checkedKey(options.apiKey)
  const settings = {
    apiKey,
    baseUrl: checkedBaseUrl(options.baseUrl, apiKey),
    timeoutMs: options.timeoutMs ?? 30_000,
    maxRetries: options.maxRetries ?? 2,
  }
  const surroundings = { ...machine, ...given(options) }
  const method =
    (operation: Operation) =>
    async (input: object = {}, callOptions: CallOptions = {}) =>
      send(buildRequest(operation, input), callOptions, { ...settings, ...surroundings })
  const groups = Object.entries<Record<string, Operation>>(contract).map(([group, operations]) => {
    const offered = Object.entries(operations).filter(([, { audience }]) => audience === 'key' || audience === 'admin')
    return [group, Object.fromEntries(offered.map(([name, operation]) => [name, method(operation)]))] as const
  })
  // `Client` lists exactly the operations of the table for these audiences, which are the ones that were just walked.
  return Object.fromEntries(groups.filter(([, methods]) => Object.keys(methods).length > 0)) as unknown as Client
}

const machine: ClientEnvironment = {
  fetch: (address, init) => fetch(address, init),
  now: () => Date.now(),
  random: () => Math.random(),
  newKey: () => crypto.randomUUID(),
  sleep,
}

/** The options that replace functions of the machine. */
function given(options: Partial<ClientEnvironment>): Partial<ClientEnvironment> {
  const names = ['fetch', 'now', 'random', 'newKey', 'sleep'] as const
  return Object.fromEntries(names.flatMap((name) => (options[name] === undefined ? [] : [[name, options[name]]])))
}

/**
 * The API as an account's key may call it: `client.<group>.<operation>(input, options?)`, one method for each operation
 * of the contract whose audience is `key` or `admin`. Every method rejects with a `TillwrightError`.
 */
export type Client = {
  readonly [Group in keyof Contract as KeyOperation<Contract[Group]> extends never ? never : Group]: {
    readonly [Name in KeyOperation<Contract[Group]>]: KeyMethod<OperationAt<Contract[Group], Name>>
  }
}

/** One operation as a method. The input may be left out where nothing in it is required. */
export type KeyMethod<Op extends Operation> = (
  ...args: Record<never, never> extends InputOf<Op>
    ? [input?: InputOf<Op>, options?: CallOptions]
    : [input: InputOf<Op>, options?: CallOptions]
) => Promise<ResponseOf<Op>>

/**
 * The input of a method: the operation's path parameters, query and body in one object. Where a body may repeat a path
 * parameter, the one value goes with the path; no other name is in two of them, which a test proves.
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
    throw refused('apiKey', 'is missing. Give the secret key of your account, which begins with test_sk_ or live_sk_.')
  }
  if (/^(test|live)_pk_/.test(apiKey)) {
    throw refused('apiKey', 'is a publishable key, which is for browsers. Give the secret one: test_sk_ or live_sk_.')
  }
  if (!/^(test|live)_sk_[A-Za-z0-9]+$/.test(apiKey)) {
    throw refused(
      'apiKey',
      'is not a secret key: test_sk_ or live_sk_, then letters and digits, without spaces around.',
    )
  }
  return apiKey
}

/**
 * The address without a slash at its end.
 *
 * @throws {TillwrightError} `options_invalid` when it is not an absolute http or https address, or a live key would be
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
