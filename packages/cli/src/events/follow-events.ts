import type { TillwrightError, Client } from '@tillwright/client'
import type { Event } from '@tillwright/contract'

/** The part of the client that following needs, so that tests can simulate an outage. */
export type EventLog = Pick<Client['eventLog'], 'list'>

/** Options for following events. */
export interface FollowOptions {
  /** Only these types, separated by commas; all by default. */
  types?: string
  signal: AbortSignal
  /** Called once with the reason when the platform becomes unavailable, and with `null` when it is back. */
  outage: (reason: string | null) => void
  /** Resolves after the time; rejects if the signal is aborted. */
  sleep: (ms: number, signal: AbortSignal) => Promise<void>
  /** A monotonic clock, in milliseconds. */
  now: () => number
}

const PAGE = 100
/** How long the platform may wait for an event, when nothing happens and just after something did. */
const QUIET_WAIT_S = 20
const BUSY_WAIT_S = 5
/** Additional time for the platform to answer after the longest wait. */
const ANSWER_MS = 10_000
/** Pauses between attempts to reach an unavailable platform; the last one repeats. */
const PAUSES_MS = [250, 500, 1_000, 2_000, 5_000]
/**
 * Concurrent requests may record their events slightly out of order. So events of this period are read again; it is far
 * longer than a request takes to commit.
 */
const OVERLAP_MS = 60_000
/** The minimum interval between re-reads, to leave the account's rate limit to others. */
const READ_AGAIN_EVERY_MS = 5_000

/** The position in the log at a time. */
interface Mark {
  cursor: string
  atMs: number
}

/**
 * Yields every event from now on exactly once, until the signal is aborted. It survives outages of the platform and
 * continues where it was.
 *
 * @throws The reason of the signal; a `TillwrightError` for errors that waiting cannot fix, such as a revoked key.
 */
export async function* followEvents(log: EventLog, following: FollowOptions): AsyncGenerator<Event, void, void> {
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
    seen = new Set([...seen].filter((id) => id > settled)) // the others will not be read again
    if (now() < readAgainMs || settled === cursor) continue
    yield* unseen(between(settled, cursor, { log, following }), seen)
    readAgainMs = now() + READ_AGAIN_EVERY_MS
  }
}

/** Yields events that were not yielded before, and returns their number. */
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

/** The newest mark that is old enough, and those after it. */
function stillOpen(marks: readonly Mark[], settledMs: number): Mark[] {
  return marks.slice(
    Math.max(
      0,
      marks.findLastIndex(({ atMs }) => atMs <= settledMs),
    ),
  )
}

/** The events after one cursor, up to another. */
async function* between(
  from: string,
  to: string,
  { log, following }: { log: EventLog; following: FollowOptions },
): AsyncGenerator<Event, void, void> {
  for (let after = from; after < to;) {
    const page = await read(log, { after, limit: PAGE }, following)
    yield* page.data.filter(({ id }) => id <= to)
    if (!page.hasMore) return
    after = page.nextCursor
  }
}

interface LogQuery {
  after: string
  limit: number
  waitSeconds?: number
}

/** Retries until the platform answers. */
async function read(log: EventLog, asked: LogQuery, following: FollowOptions): ReturnType<EventLog['list']> {
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

/** Whether an error is temporary: the platform is unavailable or overloaded, or asks for a pause. */
function isPassing(error: unknown): error is TillwrightError {
  if (!(error instanceof Error) || error.name !== 'TillwrightError') return false
  const { code, status } = error as TillwrightError // identified by its name
  return code === 'network_failed' || code === 'timed_out' || status === 429 || (status ?? 0) >= 500
}
