import { lookup, type LookupAddress } from 'node:dns'
import { Agent as HttpAgent, type IncomingMessage, request as requestHttp } from 'node:http'
import { Agent as HttpsAgent, request as requestHttps } from 'node:https'
import { BlockList, isIP, type LookupFunction } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import type { Environment } from '@tillwright/contract'
import { ApiError, type Clock } from '../runtime/index.ts'

/** How long a receiver may take, from the look-up of its name to the end of its answer. */
export const DELIVERY_TIMEOUT_MS = 15_000
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

/** Settings for outgoing requests. `resolve` is the machine's own by default, `excerptMaxBytes` what a log keeps. */
export interface EgressOptions {
  clock: Clock
  environment: Environment
  resolve?: Resolve
  /** How much of an answer is read. */
  excerptMaxBytes?: number
}

/**
 * The way out to addresses that accounts name, guarded against being sent to our own network: outside `local` only
 * `https:`, only public addresses, and connected to the very address that was checked.
 */
export function egress({
  clock,
  environment,
  resolve = resolveAll,
  excerptMaxBytes = EXCERPT_MAX_BYTES,
}: EgressOptions): Deliver {
  const guarded = environment !== 'local'
  const wayOut: WayOut = {
    http: new HttpAgent({ keepAlive: true }),
    https: new HttpsAgent({ keepAlive: true }),
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
function refusalOf(target: URL): string | null {
  if (target.protocol !== 'https:') return 'Only https: addresses are delivered to.'
  const host = target.hostname.replace(/^\[|\]$/g, '')
  return isIP(host) === 0 || isPublicAddress(host) ? null : NOT_PUBLIC
}

/** The error for a host with a private address. */
const NOT_PUBLIC = 'The host has an address that is not public.'

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
      (error: Error) => callback(error, ''),
    )
  }
}

/** The machine's own resolver. */
const resolveAll: Resolve = (hostname) =>
  new Promise((resolve, reject) => {
    lookup(hostname, { all: true }, (error, addresses) => (error === null ? resolve(addresses) : reject(error)))
  })

/**
 * Whether an address is one that anybody on the internet may be asked to reach: not a private, loopback, link-local,
 * carrier, metadata, multicast, documentation, benchmark, unspecified or reserved one. Of IPv6 only global unicast
 * passes, without the ranges that wrap an IPv4 address, mapped ones included.
 *
 * Source: IANA, "IPv4 and IPv6 Special-Purpose Address Registries" (RFC 6890 and successors).
 *
 * @param address As a resolver returns it; anything but an IP address is not public.
 */
export function isPublicAddress(address: string): boolean {
  switch (isIP(address)) {
    case 4:
      return !special.check(address, 'ipv4')
    case 6:
      return !address.includes('%') && global.check(address, 'ipv6') && !special.check(address, 'ipv6')
    default:
      return false
  }
}

const special = new BlockList()
const global = new BlockList()
global.addSubnet('2000::', 3, 'ipv6')

const specialIpv4: readonly [string, number][] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['168.63.129.16', 32], // answers every virtual machine on Azure
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
]

/** Within global unicast: protocol assignments with Teredo, documentation, 6to4. */
const specialIpv6: readonly [string, number][] = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
]

for (const [network, bits] of specialIpv4) special.addSubnet(network, bits, 'ipv4')
for (const [network, bits] of specialIpv6) special.addSubnet(network, bits, 'ipv6')

/** Maximum duration of a look-up, in milliseconds: the request that adds an endpoint waits for it. */
const LOOKUP_MS = 2_000

/**
 * Refuses an endpoint URL that could never be delivered to: outside `local`, one that is not `https:`, or whose host is
 * or resolves to a non-public address. Names that do not resolve yet are accepted; each delivery checks again.
 *
 * @param resolve The machine's own by default.
 * @throws {ApiError} `parameter_invalid`, with the param `url`.
 */
export async function refuseUndeliverable(
  url: URL,
  { environment, resolve = resolveAll }: { environment: Environment; resolve?: Resolve },
): Promise<void> {
  if (environment === 'local') return
  const refusal = refusalOf(url) ?? ((await hasPrivateAddress(url.hostname, resolve)) ? NOT_PUBLIC : null)
  if (refusal === null) return
  throw new ApiError('parameter_invalid', `${refusal} Name the https: address that the receiver has on the internet.`, {
    param: 'url',
  })
}

async function hasPrivateAddress(hostname: string, resolve: Resolve): Promise<boolean> {
  const waiting = new AbortController()
  const tooLong = delay(LOOKUP_MS, [], { signal: waiting.signal, ref: false }).catch(() => [])
  const addresses = await Promise.race([resolve(hostname).catch(() => []), tooLong])
  waiting.abort()
  return addresses.some(({ address }) => !isPublicAddress(address))
}
