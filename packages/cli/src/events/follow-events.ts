import type { TillwrightError, Client } from '@tillwright/client'
import type { Event } from '@tillwright/contract'

/** The part of the client that following needs, so that a test can stand in for a platform that goes away. */
export type EventLog = Pick<Client['eventLog'], 'list'>

/** How events are followed. */
export interface Following {
  /** Of these types alone, separated by commas; all unless given. */
  types?: string
  signal: AbortSignal
  /** Is told why the platform cannot be asked, once until it can again; `null` when it can again. */
  outage: (reason: string | null) => void
  /** Resolves after the time; rejects when the signal is aborted. */
  sleep: (ms: number, signal: AbortSignal) => Promise<void>
  /** Milliseconds that only ever grow. */
  now: () => number
}

const PAGE = 100
/** How long to wait at the platform where nothing happens, and just after something did. */
const QUIET_WAIT_S = 20
const BUSY_WAIT_S = 5
/** Beyond the longest wait, how long the platform may take to answer. */
const ANSWER_MS = 10_000
/** Pauses between two tries to reach a platform that is away; the last one from then on. */
const PAUSES_MS = [250, 500, 1_000, 2_000, 5_000]
/**
 * Of requests at the same time an event may come to stand before one that was read already. So what was read within this
 * time is read again, which is far longer than a request takes from its beginning to its commit.
 */
const OVERLAP_MS = 60_000
/** How often at most, so that following leaves the account's requests to others. */
const READ_AGAIN_EVERY_MS = 5_000

/** Where the log had been read to at a time. */
interface Mark {
  cursor: string
  atMs: number
}

/**
 * Every event from now on, once each, for as long as the signal lets it: while the platform is away it waits, and then
 * goes on where it was.
 *
 * @throws The reason of the signal; a `TillwrightError` for what no waiting mends, such as a key that was revoked.
 */
export async function* followEvents(log: EventLog, following: Following): AsyncGenerator<Event, void, void> {
  const { now } = following
  let cursor = (await read(log, { after: 'latest', limit: 1 }, following)).nextCursor
  let marks: Mark[] = [{ cursor, atMs: now() }]
  let seen = new Set<string>()
  let readAgainMs = 0
  for (let fresh = 0; ;) {
    const waitSeconds = fresh > 0 ? BUSY_WAIT_S : QUIET_WAIT_S
    const page = await read(log, { after: cursor, limit: PAGE, waitSeconds }, following)
    fresh = yield* unseen(page.data, seen)
    cursor = page.nextCursor
    marks = [...stillOpen(marks, now() - OVERLAP_MS), { cursor, atMs: now() }]
    const [{ cursor: settled } = { cursor }] = marks
    seen = new Set([...seen].filter((id) => id > settled)) // nobody will read the others again
    if (now() < readAgainMs || settled === cursor) continue
    yield* unseen(between(settled, cursor, { log, following }), seen)
    readAgainMs = now() + READ_AGAIN_EVERY_MS
  }
}

/** Hands on those that were not handed on before, and tells how many. */
async function* unseen(
  events: AsyncIterable<Event> | Iterable<Event>,
  seen: Set<string>,
): AsyncGenerator<Event, number, void> {
  let count = 0
  for await (const event of events) {
    if (seen.has(event.id)) continue
    seen.add(event.id)
    count++
    yield event
  }
  return count
}

/** The newest mark that is old enough, and those behind it. */
function stillOpen(marks: readonly Mark[], settledMs: number): Mark[] {
  return marks.slice(
    Math.max(
      0,
      marks.findLastIndex(({ atMs }) => atMs <= settledMs),
    ),
  )
}

/** The events behind one cursor, up to another. */
async function* between(
  from: string,
  to: string,
  { log, following }: { log: EventLog; following: Following },
): AsyncGenerator<Event, void, void> {
  for (let after = from; after < to;) {
    const page = await read(log, { after, limit: PAGE }, following)
    yield* page.data.filter(({ id }) => id <= to)
    if (!page.hasMore) return
    after = page.nextCursor
  }
}

interface Asked {
  after: string
  limit: number
  waitSeconds?: number
}

/** Asks until the platform answers. */
async function read(log: EventLog, asked: Asked, following: Following): ReturnType<EventLog['list']> {
  const { types, signal, outage, sleep } = following
  const input = { ...asked, drafts: 'true' as const, ...(types !== undefined && { types }) }
  const timeoutMs = (asked.waitSeconds ?? 0) * 1_000 + ANSWER_MS
  for (let tries = 0; ; tries++) {
    try {
      const page = await log.list(input, { signal, timeoutMs })
      if (tries > 0) outage(null)
      return page
    } catch (error) {
      if (signal.aborted || !isPassing(error)) throw error
      if (tries === 0) outage(error.message)
      await sleep(PAUSES_MS[tries] ?? PAUSES_MS.at(-1) ?? 0, signal)
    }
  }
}

/** What ends by itself: a platform that is away, overloaded, or asks for patience. */
function isPassing(error: unknown): error is TillwrightError {
  if (!(error instanceof Error) || error.name !== 'TillwrightError') return false
  const { code, status } = error as TillwrightError // by its name it is one
  return code === 'network_failed' || code === 'timed_out' || status === 429 || (status ?? 0) >= 500
}
