import { lookup, type LookupAddress } from 'node:dns'
import { Resolver } from 'node:dns/promises'
import { Agent as HttpAgent, type IncomingMessage, request as requestHttp } from 'node:http'
import { Agent as HttpsAgent, request as requestHttps } from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import type { Environment } from '@tillwright/contract'
// Types only: the thread that sends webhooks loads this file, and would take the whole contract along.
import type { Clock } from '../runtime/index.ts'
import { isPublicAddress } from './public-address.ts'

/** How long a receiver may take, from the look-up of its name to the end of its answer. */
export const DELIVERY_TIMEOUT_MS = 15_000
/**
 * How long a connection without a request is kept. A receiver that never closes its own would otherwise hold a descriptor of
 * this process for each name that leads to it.
 */
const KEPT_MS = 30_000
/** How much of a webhook's answer is read and kept. */
const EXCERPT_MAX_BYTES = 2_048

/** An explicit abort reason avoids creating an error, with its stack, for every attempt. */
const OVER = 'over'

/** The result of an attempt: the receiver's response with the beginning of its body, or why there is none. */
export type Answer = { status: number; retryAfter: string | null; excerpt: string } | { failure: string }

/** The request to send; the body must be exactly as signed. */
export interface Message {
  headers: Readonly<Record<string, string>>
  body: string
}

/** Posts a message once. Never rejects; redirects are answers like others. `signal` gives up. */
export type Deliver = (url: string, message: Message, signal: AbortSignal) => Promise<Answer>

/** All addresses of a host name. */
export type Resolve = (hostname: string) => Promise<LookupAddress[]>

/**
 * Settings for outgoing requests. `resolve` asks name servers by default, in `local` the machine itself; `excerptMaxBytes` is
 * what a log keeps.
 */
export interface EgressOptions {
  clock: Pick<Clock, 'now' | 'until'>
  environment: Environment
  resolve?: Resolve
  /** How much of an answer is read. */
  excerptMaxBytes?: number
  /** How long a connection without a request is kept; tests have less time. */
  keptMs?: number
}

/**
 * The way out to addresses that accounts name, guarded against being sent to our own network: outside `local` only
 * `https:`, only public addresses, and connected to the very address that was checked.
 */
export function egress({
  clock,
  environment,
  resolve = environment === 'local' ? resolveAll : askNameServers(),
  excerptMaxBytes = EXCERPT_MAX_BYTES,
  keptMs = KEPT_MS,
}: EgressOptions): Deliver {
  const guarded = environment !== 'local'
  const wayOut: WayOut = {
    http: new HttpAgent({ keepAlive: true, timeout: keptMs }),
    https: new HttpsAgent({ keepAlive: true, timeout: keptMs }),
    lookup: lookupWith(resolve, guarded ? isPublicAddress : () => true),
    excerptMaxBytes,
  }
  return async (url, message, signal) => {
    if (!URL.canParse(url)) return { failure: 'The address cannot be read.' }
    const target = new URL(url)
    const refusal = guarded ? refusalOf(target) : null
    if (refusal !== null) return { failure: refusal }
    const limit = new AbortController()
    const giveUp = () => limit.abort(OVER)
    signal.addEventListener('abort', giveUp)
    if (signal.aborted) giveUp()
    const attempt = post(target, message, { wayOut, signal: limit.signal })
    void clock.until(clock.now() + DELIVERY_TIMEOUT_MS, limit.signal).then(giveUp)
    const answer = await attempt
    signal.removeEventListener('abort', giveUp)
    giveUp()
    return answer
  }
}

interface WayOut {
  http: HttpAgent
  https: HttpsAgent
  lookup: LookupFunction
  excerptMaxBytes: number
}

/** Why an address is never delivered to outside `local`, or `null`. A literal one is never looked up, so it is checked here. */
export function refusalOf(target: URL): string | null {
  if (target.protocol !== 'https:') return 'Only https: addresses are delivered to.'
  const host = target.hostname.replace(/^\[|\]$/g, '')
  return isIP(host) === 0 || isPublicAddress(host) ? null : NOT_PUBLIC
}

/** The error for a host with a private address. */
export const NOT_PUBLIC = 'The host has an address that is not public.'

function post(
  target: URL,
  { headers, body }: Message,
  connection: { wayOut: WayOut; signal: AbortSignal },
): Promise<Answer> {
  const { wayOut, signal } = connection
  return new Promise((resolve) => {
    const options = { method: 'POST', headers, lookup: wayOut.lookup }
    const request =
      target.protocol === 'https:'
        ? requestHttps(target, { ...options, agent: wayOut.https })
        : requestHttp(target, { ...options, agent: wayOut.http })
    const giveUp = () => request.destroy()
    const end = (answer: Answer | Promise<Answer>) => {
      signal.removeEventListener('abort', giveUp)
      resolve(answer)
    }
    signal.addEventListener('abort', giveUp)
    if (signal.aborted) giveUp()
    request.on('response', (response) => {
      request.removeAllListeners('error').on('error', () => {}) // from here on the status is the answer
      void readExcerpt(response, wayOut.excerptMaxBytes).then((excerpt) => end(answerOf(response, excerpt)))
    })
    // Without a listener nothing at all would follow: neither a response nor an error.
    request.on('upgrade', (response, socket) => {
      socket.destroy()
      end(answerOf(response, ''))
    })
    request.on('error', (error) => {
      // A kept connection that the receiver has just closed says nothing about the receiver; each is tried once.
      if (request.reusedSocket && codeOf(error) === 'ECONNRESET' && !signal.aborted)
        end(post(target, { headers, body }, connection))
      else end({ failure: signal.aborted ? 'There was no answer in time.' : (codeOf(error) ?? error.message) })
    })
    request.end(body)
  })
}

function answerOf({ statusCode = 0, headers }: IncomingMessage, excerpt: string): Answer {
  return { status: statusCode, retryAfter: headers['retry-after'] ?? null, excerpt }
}

/** Reads the beginning of a body; of one that is longer the connection is closed. */
function readExcerpt(response: IncomingMessage, maxBytes: number): Promise<string> {
  const chunks: Buffer[] = []
  let bytes = 0
  return new Promise((resolve) => {
    response.on('data', (chunk: Buffer) => {
      chunks.push(chunk)
      bytes += chunk.length
      if (bytes >= maxBytes) response.destroy()
    })
    // The status is the answer; what could not be read of the body is only missing from the log.
    response.on('error', () => {})
    // PostgreSQL's text cannot hold a NUL.
    const done = () => resolve(Buffer.concat(chunks).toString('utf8', 0, maxBytes).replaceAll('\0', '\uFFFD'))
    response.on('end', done).on('close', done)
  })
}

function codeOf(error: Error): string | null {
  return 'code' in error && typeof error.code === 'string' ? error.code : null
}

/** One bad address among several refuses the host: which of them is connected to is not ours to choose. */
function lookupWith(resolve: Resolve, isAllowed: (address: string) => boolean): LookupFunction {
  return (hostname, options, callback) => {
    resolve(hostname).then(
      (addresses) => {
        const [first] = addresses
        if (first === undefined) callback(new Error('The host has no address.'), '')
        else if (!addresses.every(({ address }) => isAllowed(address))) callback(new Error(NOT_PUBLIC), '')
        else if (options.all === true) callback(null, addresses)
        else callback(null, first.address, first.family)
      },
      // Its codes are those of connections too: a name server that refuses is no receiver that refuses.
      (error: Error) =>
        callback(new Error(`The host's name could not be looked up: ${codeOf(error) ?? error.message}.`), ''),
    )
  }
}

/** The machine's own resolver, which knows its file of hosts. */
const resolveAll: Resolve = (hostname) =>
  new Promise((resolve, reject) => {
    lookup(hostname, { all: true }, (error, addresses) => (error === null ? resolve(addresses) : reject(error)))
  })

/** How long a name server may take per attempt, of two. */
const QUERY_TIMEOUT_MS = 2_000

/**
 * Asks name servers, as the names of accounts are looked up. The machine's own resolver holds a thread until it has an
 * answer, and a process has two for it: a few names whose servers never answer would keep it from processors and database.
 *
 * @param servers `address:port`; those of the machine unless given.
 */
export function askNameServers(servers?: readonly string[]): Resolve {
  return async (hostname) => {
    // One for each name: the machine's servers may have changed since the last.
    const resolver = new Resolver({ timeout: QUERY_TIMEOUT_MS, maxTimeout: QUERY_TIMEOUT_MS, tries: 2 })
    if (servers !== undefined) resolver.setServers(servers)
    const [ipv4, ipv6] = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)])
    const addresses = [
      ...(ipv4.status === 'fulfilled' ? ipv4.value.map((address) => ({ address, family: 4 })) : []),
      ...(ipv6.status === 'fulfilled' ? ipv6.value.map((address) => ({ address, family: 6 })) : []),
    ]
    if (addresses.length === 0 && ipv4.status === 'rejected') throw ipv4.reason
    return addresses
  }
}
