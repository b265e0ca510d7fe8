import { contract, type Operation } from '@tillwright/contract'
import { buildRequest } from './build-request.ts'
import { checkedBaseUrl, checkedKey } from './check-options.ts'
import type { Client } from './client.ts'
import { send, type CallOptions, type Surroundings } from './send.ts'
import { sleep } from './sleep.ts'

/** How to reach the platform, and as whom. */
export interface ClientOptions extends Partial<Surroundings> {
  /** A secret key of the account: `test_sk_...` or `live_sk_...`. Never a publishable one. */
  apiKey: string
  /** Where the platform answers, such as `http://localhost:4400`. */
  baseUrl: string
  /** How long one attempt may take, 30,000 unless given. */
  timeoutMs?: number
  /** How often a failed attempt is repeated, twice unless given. */
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

const machine: Surroundings = {
  fetch: (address, init) => fetch(address, init),
  now: () => Date.now(),
  random: () => Math.random(),
  newKey: () => crypto.randomUUID(),
  sleep,
}

/** The options that stand in for the machine's own, without those that were left out. */
function given(options: Partial<Surroundings>): Partial<Surroundings> {
  const names = ['fetch', 'now', 'random', 'newKey', 'sleep'] as const
  return Object.fromEntries(names.flatMap((name) => (options[name] === undefined ? [] : [[name, options[name]]])))
}
