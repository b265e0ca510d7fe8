import { hash } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import {
  type Answer,
  claimKey,
  findKey,
  finishClaim,
  giveUpClaim,
  type IdempotencyKey,
  openAnswer,
  releaseClaim,
  sealAnswer,
  storeAnswer,
} from '../../accounts/index.ts'
import type { Caller, Services, Write } from '../../request-context.ts'
import { ApiError } from '../../runtime/index.ts'
import type { Statement } from '../../storage/index.ts'
import { begin, type Begun, conclude, type Concluding, type DoWork, inTime, type Work } from './begun-work.ts'
import { commit, LostRace } from './commit.ts'

/** A request whose effects must happen once. */
export interface IdempotentRequest {
  /** `null` when it carries no `Idempotency-Key`. */
  key: IdempotencyKey | null
  /** Whether the answer holds a secret, and is kept encrypted. Not unless given. */
  secretAnswer?: boolean
  /** After how long a claim counts as abandoned, so that the same request may do the work again. */
  leaseMs: number
  /** Whether that request may do so at once when the process of the claim no longer lives. */
  repeatable: boolean
  /** When its client should have an answer, whatever it is: of `performance.now()`. */
  untilMs: number
  /** Does the work; it may call `begin` to commit writes, and claim the key, before it calls outside. */
  work: DoWork
  /** The answer of a request that must fail. */
  failed: (error: ApiError) => Answer
}

/** An answer, and whether it was given before. */
export type IdempotentAnswer = Pick<Work, 'answer' | 'headers'> & { replayed: boolean }

/** How often a request is done again whose transaction lost a race, before it is a 409. */
const RACES_MAX = 3

/** How many repeated requests wait for the first one's answer at a time; further ones are told to come back. */
const WAITING_MAX = 200
/** How much longer than its client's time a repeated request waits: the first one is answered when that is over. */
const LONGER_MS = 500
/** How often a waiting one looks whether another process has the answer. */
const FIRST_LOOK_MS = 50
const LAST_LOOK_MS = 500

/**
 * Reads the header `Idempotency-Key`: 1 to 255 visible ASCII characters, bare or as a quoted string.
 *
 * @returns Its SHA-256, which is what is kept of it; `null` without the header. The keys of a session, of a member, and of
 *   the pages with a publishable key are their own: two of an account may choose the same, and nobody who reads a page can
 *   take a key that the account's server will send.
 */
export function readIdempotencyKey(
  header: string | undefined,
  { kind, sessionId, keyId }: Pick<Caller, 'kind' | 'sessionId' | 'keyId'>,
): string | null {
  if (header === undefined) return null
  const key = /^"(.*)"$/.exec(header)?.[1] ?? header
  const owner = kind === 'secret' ? undefined : (sessionId ?? keyId)
  const place = owner === undefined ? '' : `${owner} ` // no key has a space
  if (/^[\x21-\x7e]{1,255}$/.test(key)) return hash('sha256', place + key, 'base64url') // two headers arrive joined by ", ", which has a space
  throw new ApiError(
    'idempotency_key_invalid',
    'Idempotency-Key must be one header of 1 to 255 visible ASCII characters.',
  )
}

/**
 * Does a request's work once per key. The stored answer is a statement of the same transaction as the work's effects,
 * so a crash leaves both or neither. A key is looked up only when that transaction was refused: its first use, the
 * common case, costs no look-up. A request that is repeated while the first is at work waits for its answer, within
 * limits.
 *
 * @param unfinished Holds work whose outcome is still to be written, although its client was answered.
 */
export function idempotencyRunner(
  services: Claiming,
  unfinished: Set<Promise<unknown>> = new Set(),
): (request: IdempotentRequest) => Promise<IdempotentAnswer> {
  /** Keys at work in this process, whose transactions are not committed yet, with their requests' fingerprints. */
  const underWay = new Map<string, { fingerprint: string; done: Promise<unknown> }>()
  const waiting: Waiting = { count: 0 }
  const parts = { ...services, unfinished, waiting }

  /** The answer of the same request, if it is at work in this process and ends with one that is kept. */
  async function answerOfFirst(
    place: string,
    { key, untilMs }: { key: IdempotencyKey; untilMs: number },
  ): Promise<IdempotentAnswer | null> {
    let hasWaited = false
    for (let other = underWay.get(place); other !== undefined; other = underWay.get(place)) {
      const { fingerprint: mark, done } = other
      if (mark !== key.fingerprint) throw reused()
      hasWaited = true
      await inLine(waiting, () => until(done, untilMs + LONGER_MS))
    }
    const earlier = hasWaited ? await findKey(key, services.clock.now(), services.db) : null
    if (earlier?.state !== 'finished') return null
    return { answer: openAnswer(earlier.answer, key, services.secrets), replayed: true }
  }

  return async ({ key, ...request }) => {
    if (key === null) return again(() => unkeyed(request, parts))
    const place = `${key.accountId} ${key.key}`
    const { untilMs } = request
    const earlier = underWay.has(place) ? await answerOfFirst(place, { key, untilMs }) : null
    if (earlier !== null) return earlier
    const done = again(() => keyed({ key, ...request }, parts)).finally(() => underWay.delete(place))
    underWay.set(place, { fingerprint: key.fingerprint, done })
    return done
  }
}

interface Waiting {
  count: number
}

/** @throws {ApiError} `idempotency_key_in_use` when too many wait already. */
async function inLine<Result>(waiting: Waiting, wait: () => Promise<Result>): Promise<Result> {
  if (waiting.count >= WAITING_MAX) throw inUse()
  waiting.count += 1
  try {
    return await wait()
  } finally {
    waiting.count -= 1
  }
}

/** Waits for another request to end, however it does. @throws {ApiError} `idempotency_key_in_use` when it takes too long. */
async function until(done: Promise<unknown>, untilMs: number): Promise<void> {
  const ended = done.then(
    () => true,
    () => true,
  )
  if (!(await inTime(ended, untilMs - performance.now()))) throw inUse()
}

/** A transaction that lost a race is built again from what is now in the database. */
async function again(attempt: () => Promise<IdempotentAnswer>): Promise<IdempotentAnswer> {
  for (let races = 0; races < RACES_MAX; races++) {
    try {
      return await attempt()
    } catch (error) {
      if (!(error instanceof LostRace)) throw error
    }
  }
  throw new ApiError('state_conflict', 'Other requests keep changing the same objects; read them and try again.')
}

type Claiming = Concluding & Pick<Services, 'clock' | 'secrets'>
type Parts = Claiming & { unfinished: Set<Promise<unknown>>; waiting: Waiting }

async function unkeyed({ work, untilMs }: Omit<IdempotentRequest, 'key'>, parts: Parts): Promise<IdempotentAnswer> {
  const begun: Begun = { held: [], isCertain: false }
  const { writes, later, ...answer } = await begin(begun, parts, (early) => early)(work)
  if (begun.isCertain) await conclude([writes, later], { begun, untilMs }, parts)
  else await commit(writes, parts)
  return { ...answer, replayed: false }
}

async function keyed(request: IdempotentRequest & { key: IdempotencyKey }, parts: Parts): Promise<IdempotentAnswer> {
  const { key, leaseMs, repeatable, untilMs, failed, secretAnswer = false } = request
  const nowMs = parts.clock.now()
  const kept = (answer: Answer) => (secretAnswer ? sealAnswer(answer, key, parts.secrets) : answer)
  const store = (answer: Answer): Write => ({ ...storeAnswer(key, kept(answer), nowMs), onRefused: () => keyTaken })
  const holder = repeatable ? parts.cluster.self.id : null
  const claim: Write = {
    ...claimKey(key, { leaseUntilMs: nowMs + leaseMs, holder }, nowMs),
    onRefused: () => keyTaken,
    ...(holder !== null && { giveBack: giveUpClaim(key, holder) }),
  }
  const begun: Begun = { held: [], isCertain: false }
  const place = { key, untilMs }
  try {
    const { writes, later, ...done } = await begin(begun, parts, (early) => [claim, ...early])(request.work)
    if (!begun.isCertain) {
      await commit(isKept(done.answer) ? [store(done.answer), ...writes] : writes, parts)
    } else if (later === undefined) {
      await conclude([[...writes, endClaim(key, kept(done.answer))], undefined], { begun, untilMs }, parts)
    } else {
      const answered = isKept(done.answer) && done.answer.status < 400 ? kept(done.answer) : null
      const claimed = answered === null ? releaseClaim(key) : finishClaim(key, answered)
      // Once more with the end, in case that the answer could not be stored while it was given.
      const ends = answered === null ? later : later.then((last) => [...last, unguarded(claimed)])
      await conclude([[...writes, claimed], ends], { begun, untilMs }, parts)
    }
    return { ...done, replayed: false }
  } catch (error) {
    if (error === keyTaken || begun.isCertain) return earlierAnswer(place, error, parts)
    if (!(error instanceof ApiError) || !isKept(error)) throw error
    const answer = failed(error)
    const headers = error.details.headers
    const taken = await commit([store(answer)], parts).catch(onlyKeyTaken)
    return taken ? earlierAnswer(place, keyTaken, parts) : { answer, replayed: false, ...(headers && { headers }) }
  }
}

/** Thrown, and never sent, when the transaction was refused because the key is taken. */
const keyTaken = new ApiError('idempotency_key_in_use', 'The Idempotency-Key is taken.')

function onlyKeyTaken(error: unknown): true {
  if (error === keyTaken) return true
  throw error
}

/** Faults and 429 are not kept: the next try with the same key may succeed. */
function isKept({ status }: { status: number }): boolean {
  return status < 500 && status !== 429
}

function endClaim(key: IdempotencyKey, answer: Answer): Write {
  return isKept(answer) ? finishClaim(key, answer) : releaseClaim(key)
}

/** The same write, which may also change nothing. */
function unguarded({ sql, params }: Statement): Write {
  return { sql, params }
}

/**
 * The answer to the key's first request, as soon as there is one. Without one, the current error is thrown.
 *
 * @throws {ApiError} `idempotency_key_in_use` while the first request is still at work.
 */
async function earlierAnswer(
  { key, untilMs }: { key: IdempotencyKey; untilMs: number },
  error: unknown,
  { db, clock, secrets, waiting }: Parts,
): Promise<IdempotentAnswer> {
  for (let pauseMs = FIRST_LOOK_MS; ; pauseMs = Math.min(pauseMs * 2, LAST_LOOK_MS)) {
    const earlier = await findKey(key, clock.now(), db)
    switch (earlier?.state) {
      case 'reused':
        throw reused()
      case 'finished':
        return { answer: openAnswer(earlier.answer, key, secrets), replayed: true }
      case 'under way':
        if (error !== keyTaken && !isTakenOver(error)) throw error
        if (performance.now() + pauseMs > untilMs + LONGER_MS) throw inUse()
        await inLine(waiting, () => delay(pauseMs))
        break
      case undefined:
        throw error === keyTaken ? new LostRace() : error
    }
  }
}

/** Whether the outcome of work was refused because another process, which took this one for dead, goes on with it. */
function isTakenOver(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'state_conflict'
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
