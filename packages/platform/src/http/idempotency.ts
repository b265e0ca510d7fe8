import { createHash, hash, type Hash } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import {
  type Answer,
  CLAIM_LEASE_MS,
  claimKey,
  findKey,
  finishClaim,
  type IdempotencyKey,
  openAnswer,
  releaseClaim,
  sealAnswer,
  storeAnswer,
} from '../accounts/index.ts'
import type { Caller, RequestContext, Services, Write } from '../request-context.ts'
import { ApiError } from '../runtime/index.ts'
import { DatabaseUnavailable, insist } from '../storage/index.ts'
import { commit, LostRace } from './commit.ts'

/** The result of a request's work: its answer and the writes that belong to it. */
export interface Work {
  answer: Answer
  writes: readonly Write[]
  headers?: Readonly<Record<string, string>>
}

/** A request whose effects must happen once. */
export interface OnceRequest {
  /** `null` when it carries no `Idempotency-Key`. */
  key: IdempotencyKey | null
  /** Whether the answer holds a secret, and is kept encrypted. Not unless given. */
  secretAnswer?: boolean
  /** After how long a claim counts as abandoned, so that the same request may do the work again. */
  leaseMs: number
  /** Whether that request may do so at once when the process of the claim no longer lives. */
  repeatable: boolean
  /** Does the work; it may call `begin` to commit writes, and claim the key, before it calls outside. */
  work: (begin: RequestContext['begin']) => Promise<Work>
  /** The answer of a request that must fail. */
  failed: (error: ApiError) => Answer
}

/** An answer, and whether it was given before. */
export type OnceAnswer = Omit<Work, 'writes'> & { replayed: boolean }

/** How often a request is done again whose unit lost a race, before it is a 409. */
const RACES_MAX = 3

/** How long a request waits for the database to take its outcome: clients and balancers give up after ten seconds or so. */
const SETTLES_WITHIN_MS = 7_000

/**
 * Reads the header `Idempotency-Key`: 1 to 255 visible ASCII characters, bare or as a quoted string.
 *
 * @returns Its SHA-256, which is what is kept of it; `null` without the header. The keys of a session, and of a
 *   member, are their own: two of an account may choose the same.
 */
export function readIdempotencyKey(
  header: string | undefined,
  { sessionId, member }: Pick<Caller, 'sessionId' | 'member'> = {},
): string | null {
  if (header === undefined) return null
  const key = /^"(.*)"$/.exec(header)?.[1] ?? header
  const owner = sessionId ?? member?.memberId
  const place = owner === undefined ? '' : `${owner} ` // no key has a space
  if (/^[\x21-\x7e]{1,255}$/.test(key)) return hash('sha256', place + key, 'base64url') // two headers arrive joined by ", ", which has a space
  throw new ApiError(
    'idempotency_key_invalid',
    'Idempotency-Key must be one header of 1 to 255 visible ASCII characters.',
  )
}

/** SHA-256 over method, path and body; requests with the same value are the same. */
export function fingerprint(method: string, path: string, body: Uint8Array): string {
  return fingerprintOf(method, path).update(body).digest('base64url')
}

/** The same for a body in pieces, which it is updated with. */
export function fingerprintOf(method: string, path: string): Hash {
  return createHash('sha256').update(`${method}\n${path}\n`)
}

/**
 * Does a request's work once per key. The stored answer is a statement of the same unit as the work's effects, so a
 * crash leaves both or neither. A key is looked up only when that unit was refused: its first use, the common case,
 * costs no look-up.
 */
export function idempotencyRunner(services: Claiming): (request: OnceRequest) => Promise<OnceAnswer> {
  /** Keys at work in this process, whose units are not committed yet, with their requests' fingerprints. */
  const underWay = new Map<string, string>()
  return async ({ key, ...request }) => {
    if (key === null) return again(() => unkeyed(request, services))
    const place = `${key.accountId} ${key.key}`
    const other = underWay.get(place)
    if (other !== undefined) throw other === key.fingerprint ? inUse() : reused()
    underWay.set(place, key.fingerprint)
    try {
      return await again(() => keyed({ key, ...request }, services))
    } finally {
      underWay.delete(place)
    }
  }
}

/** A unit that lost a race is built again from what is now in the database. */
async function again(attempt: () => Promise<OnceAnswer>): Promise<OnceAnswer> {
  for (let races = 0; races < RACES_MAX; races++) {
    try {
      return await attempt()
    } catch (error) {
      if (!(error instanceof LostRace)) throw error
    }
  }
  throw new ApiError('state_conflict', 'Other requests keep changing the same objects; read them and try again.')
}

type Claiming = Pick<Services, 'db' | 'clock' | 'secrets' | 'cluster'>

async function unkeyed({ work }: Pick<OnceRequest, 'work'>, services: Claiming): Promise<OnceAnswer> {
  let hasBegun = false
  const { writes, ...answer } = await work(async (early) => {
    const returned = await commit(early, services)
    hasBegun = true
    return returned
  })
  await (hasBegun ? settle(writes, services) : commit(writes, services))
  return { ...answer, replayed: false }
}

/**
 * Commits what came of work that has begun: a processor has answered, and only this process knows what. While the database
 * is away it is tried again: for the first seconds the request waits, and is answered as if nothing had been; after that
 * it fails, and the trying goes on for as long as nobody else can have taken the work over.
 */
async function settle(writes: readonly Write[], { db, cluster }: Claiming): Promise<void> {
  const holder = cluster.self.id
  const begunMs = performance.now()
  const settled = insist(
    async () => void (await commit(writes, { db })),
    () => performance.now() - begunMs < CLAIM_LEASE_MS && cluster.self.id === holder,
  )
  const tooLate = new AbortController()
  const patience = delay(SETTLES_WITHIN_MS, undefined, { ref: false, signal: tooLate.signal }).then(
    () => {
      throw new DatabaseUnavailable('The database did not take the outcome of this request in time.')
    },
    () => {},
  )
  await Promise.race([settled, patience]).finally(() => tooLate.abort())
}

async function keyed(request: OnceRequest & { key: IdempotencyKey }, services: Claiming): Promise<OnceAnswer> {
  const { key, leaseMs, repeatable, work, failed, secretAnswer = false } = request
  const nowMs = services.clock.now()
  const kept = (answer: Answer) => (secretAnswer ? sealAnswer(answer, key, services.secrets) : answer)
  const store = (answer: Answer): Write => ({ ...storeAnswer(key, kept(answer), nowMs), onRefused: () => keyTaken })
  let claimed = false
  try {
    const { writes, ...done } = await work(async (early) => {
      const holder = repeatable ? services.cluster.self.id : null
      const claim = { ...claimKey(key, { leaseUntilMs: nowMs + leaseMs, holder }, nowMs), onRefused: () => keyTaken }
      const returned = await commit(claimed ? early : [claim, ...early], services)
      const own = claimed ? returned : returned.slice(1)
      claimed = true
      return own
    })
    if (claimed) await settle([...writes, settleClaim(key, kept(done.answer))], services)
    else await commit(isKept(done.answer) ? [store(done.answer), ...writes] : writes, services)
    return { ...done, replayed: false }
  } catch (error) {
    if (error === keyTaken || claimed) return earlierAnswer(key, error, services)
    if (!(error instanceof ApiError) || !isKept(error)) throw error
    const answer = failed(error)
    const headers = error.details.headers
    const taken = await commit([store(answer)], services).catch(onlyKeyTaken)
    return taken ? earlierAnswer(key, keyTaken, services) : { answer, replayed: false, ...(headers && { headers }) }
  }
}

/** Thrown, and never sent, when the unit was refused because the key is taken. */
const keyTaken = new ApiError('idempotency_key_in_use', 'The Idempotency-Key is taken.')

function onlyKeyTaken(error: unknown): true {
  if (error === keyTaken) return true
  throw error
}

/** Faults and 429 are not kept: the next try with the same key may succeed. */
function isKept({ status }: { status: number }): boolean {
  return status < 500 && status !== 429
}

function settleClaim(key: IdempotencyKey, answer: Answer): Write {
  return isKept(answer) ? finishClaim(key, answer) : releaseClaim(key)
}

/** The answer to the key's first request. Without one, the current error is thrown. */
async function earlierAnswer(
  key: IdempotencyKey,
  error: unknown,
  { db, clock, secrets }: Pick<Services, 'db' | 'clock' | 'secrets'>,
): Promise<OnceAnswer> {
  const earlier = await findKey(key, clock.now(), db)
  switch (earlier?.state) {
    case 'reused':
      throw reused()
    case 'finished':
      return { answer: openAnswer(earlier.answer, key, secrets), replayed: true }
    case 'under way':
      throw error === keyTaken ? inUse() : error
    case undefined:
      throw error === keyTaken ? new LostRace() : error
  }
}

function inUse(): ApiError {
  return new ApiError(
    'idempotency_key_in_use',
    'A request with this Idempotency-Key is still in progress; try again in a second.',
    {
      headers: { 'Retry-After': '1' },
    },
  )
}

function reused(): ApiError {
  return new ApiError(
    'idempotency_key_reused',
    'This Idempotency-Key was used for another request; send a new key with a new request.',
  )
}
