import { hash } from 'node:crypto'
import { type Event, type EventStreamQuery, idsFrom, timeOfId } from '@tillwright/contract'
import type { MessageStream, RequestContext, StreamMessage } from '../request-context.ts'
import { type Database, pick, rowReader } from '../storage/index.ts'
import { eventsBetween, type LiveEvents, type LiveReader, OVERLAP_MS, type RecordedEvent } from './live-events.ts'
import { begin, filtersOf, type LogFilters, matches, matchParams, readCursor, readLog } from './read-log.ts'
import { eventsTable } from './tables.ts'

const PAGE = 100

/**
 * The events of the caller's account from a cursor on: first those in the log, then new ones as they are recorded. Those
 * that were recorded out of order come late rather than not at all.
 *
 * @throws {ApiError} `parameter_invalid` for a cursor that is none.
 */
export async function openStream(
  query: EventStreamQuery,
  context: RequestContext,
  live: LiveEvents,
): Promise<MessageStream> {
  const { accountId } = context.caller
  const { after = 'latest' } = query
  const { position, sum } = readCursor(after)
  const history = newHistory(sum === null ? await begin(after, context) : position)
  const reading = { accountId, filters: filtersOf(query), history, db: context.services.db, isBeat: false }
  const before = await recentIds(reading)
  const missed = new Set(sum === null ? [] : missedOf(before, sum))
  for (const id of before) if (!missed.has(id)) history.add(id)
  let reader: LiveReader | null = null

  async function* follow(ended: AbortSignal): AsyncGenerator<StreamMessage> {
    yield { cursor: history.cursor(), comment: 'open' }
    yield* catchUp(reading, ended)
    const following = await live.follow(accountId, (event) => wants(event, reading.filters))
    reader = following
    try {
      yield* catchUp(reading, ended)
      yield { cursor: history.cursor(), comment: 'live' }
      for (;;) {
        const next = await following.next(ended)
        if (next === null) return
        if (next === 'behind') yield* catchUp(reading, ended)
        else if (next === 'beat') {
          // Nothing waits, so that the reader has had all that there is for it up to here.
          history.moveTo(following.position() ?? history.position())
          yield alive(reading)
        } else if (!history.has(next.event.id)) yield message(next, reading)
      }
    } finally {
      following.leave()
    }
  }

  return {
    follow,
    beat() {
      reading.isBeat = true
      reader?.beat()
    },
  }
}

/** One reader of an account's events. */
interface Reading {
  accountId: string
  filters: LogFilters
  history: ReturnType<typeof newHistory>
  db: Database
  /** Whether a sign of life was asked for. */
  isBeat: boolean
}

/** Ids of the last minute before the position that the reader gets. */
async function recentIds({ accountId, filters, history, db }: Reading): Promise<string[]> {
  const params = [accountId, overlapOf(history.position()), history.position(), ...matchParams(filters)]
  return readIds(await db.read(selectRecent, params)).map(({ id }) => id)
}

/** Events in the log by now: those recorded late, then those that follow. */
async function* catchUp(reading: Reading, ended: AbortSignal): AsyncGenerator<StreamMessage> {
  const { accountId, filters, history, db } = reading
  const late = new Set((await recentIds(reading)).filter((id) => !history.has(id)))
  const [[first], last] = [late, [...late].at(-1)]
  if (first !== undefined && last !== undefined) {
    for await (const event of eventsBetween({ accountId, first, last }, db)) {
      if (late.has(event.id)) yield message(recorded(event), reading)
    }
  }
  for (let more = true; more && !ended.aborted;) {
    const page = await readLog(db, { accountId, after: history.position(), limit: PAGE, ...filters })
    for (const event of page.data) yield message(recorded(event), reading)
    history.moveTo(page.nextCursor)
    more = page.hasMore
    if (reading.isBeat) yield alive(reading)
  }
}

function message({ event, data }: RecordedEvent, { history }: Reading): StreamMessage {
  history.add(event.id)
  return { cursor: history.cursor(), event: event.eventType, data }
}

function alive(reading: Reading): StreamMessage {
  reading.isBeat = false
  return { cursor: reading.history.cursor(), comment: 'alive' }
}

function recorded(event: Event): RecordedEvent {
  return { event, data: JSON.stringify(event) }
}

/** The same as `matches`, for an event that was read already. */
function wants({ eventType, draft, storeId }: Event, { types, drafts, storeId: wanted }: LogFilters): boolean {
  return (drafts || !draft) && (types === null || types.includes(eventType)) && (wanted === null || storeId === wanted)
}

/**
 * History of a reader: the position in the log, and the ids of the last minute before it. The cursor is the position
 * and a sum of those ids, from which one who goes on can tell what was recorded behind the reader's back.
 */
function newHistory(start: string) {
  /** Ascending. */
  const ids: string[] = []
  let position = start
  let sum = 0n

  function moveTo(id: string): void {
    if (id <= position) return
    position = id
    const from = overlapOf(position)
    const old = ids.findIndex((known) => known > from)
    for (const gone of ids.splice(0, old === -1 ? ids.length : old)) sum ^= digestOf(gone)
  }

  /** Where an id is, or would be. */
  function placeOf(id: string): number {
    let [low, high] = [0, ids.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if ((ids[middle] ?? '') < id) low = middle + 1
      else high = middle
    }
    return low
  }

  return {
    position: () => position,
    cursor: () => `${position}_${sum.toString(36)}`,
    has: (id: string) => ids[placeOf(id)] === id,
    moveTo,
    add(id: string): void {
      moveTo(id)
      if (id <= overlapOf(position)) return
      ids.splice(placeOf(id), 0, id)
      sum ^= digestOf(id)
    },
  }
}

/** The id after which events may still be recorded late, once `position` has been read. */
function overlapOf(position: string): string {
  const timeMs = timeOfId(position)
  return timeMs === null ? 'evt_' : idsFrom('evt', timeMs - OVERLAP_MS)
}

/** Checksum of the ids that a reader has had, in any order, for the cursor. */
export function sumOf(ids: readonly string[]): bigint {
  return ids.reduce((sum, id) => sum ^ digestOf(id), 0n)
}

/** 48 bits of a hash. */
function digestOf(id: string): bigint {
  return BigInt(`0x${hash('sha256', id).slice(0, 12)}`)
}

/**
 * Which of the ids before a cursor its reader has not had, from the sum of those that it has had. More than two at a time
 * cannot be told from the sum: then all are sent again rather than one lost.
 */
export function missedOf(ids: readonly string[], sum: bigint): readonly string[] {
  const byDigest = new Map(ids.map((id) => [digestOf(id), id]))
  const missing = [...byDigest.keys()].reduce((rest, digest) => rest ^ digest, sum)
  if (missing === 0n) return []
  const one = byDigest.get(missing)
  if (one !== undefined) return [one]
  for (const [digest, id] of byDigest) {
    const other = byDigest.get(missing ^ digest)
    if (other !== undefined && other !== id) return [id, other]
  }
  return ids
}

const readIds = rowReader(pick(eventsTable, 'id'))
const selectRecent = `SELECT e.id FROM events e WHERE e.account_id = ? AND e.id > ? AND e.id <= ? AND ${matches} ORDER BY e.id`
