import { setTimeout as delay } from 'node:timers/promises'
import { type Event, idsFrom } from '@tillwright/contract'
import type { Services } from '../request-context.ts'
import { failuresOf, startWorker } from '../runtime/index.ts'
import { type Database, pick, rowReader } from '../storage/index.ts'
import { joinedColumns, joinedTables, readJoinedEvents } from './events.ts'
import { eventsTable } from './tables.ts'

/** How often events of other processes are looked for; those of this process wake a look at once. */
const LOOK_EVERY_MS = 1_000
/** The least time between two looks at one account, so that a busy one is not looked at for each of its events. */
const LOOK_PAUSE_MS = 50
/**
 * Requests that run at the same time record their events out of order. This much of the past is read again, which is far
 * longer than a request takes to commit; and at most looks only what is usually enough.
 */
export const OVERLAP_MS = 60_000
const SHORT_OVERLAP_MS = 5_000
const WHOLE_OVERLAP_EVERY_MS = 10_000

const IDS_MAX = 1_000
const ROWS_MAX = 200
/** Bounds of the events kept for a slow reader, in number and in characters. Beyond them it reads the log. */
const WAITING_MAX = 500
const WAITING_CHARS_MAX = 1_000_000

/** An event with its JSON, which all readers share. */
export interface RecordedEvent {
  event: Event
  data: string
}

/** An account's new events, as one reader gets them. */
export interface LiveReader {
  /**
   * The next event; `behind` if more have come than are kept, so that the log has to be read; `beat` after `beat()`;
   * `null` once `ended` is aborted.
   */
  next(ended: AbortSignal): Promise<RecordedEvent | 'behind' | 'beat' | null>
  /** Makes `next` return without an event. */
  beat(): void
  /** The newest event looked at, if the reader has had all that it wants up to there; otherwise `null`. */
  position(): string | null
  leave(): void
}

/** The new events of all accounts with followers. Each account is polled once, however many follow it. */
export interface LiveEvents {
  /**
   * Follows an account. Every event that becomes visible after this has resolved is delivered once.
   *
   * @param wants Which events the reader gets.
   * @throws {DatabaseUnavailable}
   */
  follow(accountId: string, wants: (event: Event) => boolean): Promise<LiveReader>
  /** Says that this process may have recorded events of an account. Costs next to nothing. */
  wake(accountId: string): void
  stop(): Promise<void>
}

/** Starts looking for the events of accounts that are followed. */
export function liveEvents({ db, clock, log }: Pick<Services, 'db' | 'clock' | 'log'>): LiveEvents {
  const feeds = new Map<string, Feed>()
  const failures = failuresOf(log, { worker: 'live events', message: 'new events could not be read; trying again' })
  const stop = startWorker({
    clock,
    everyMs: LOOK_EVERY_MS,
    look: async () => void (await Promise.all([...feeds.values()].map((feed) => feed.look()))),
    ...failures,
  })
  return {
    async follow(accountId, wants) {
      const feed = feeds.get(accountId) ?? openFeed(accountId, { db, clock })
      feeds.set(accountId, feed)
      const reader = liveReader(feed, wants)
      feed.queues.add(reader.queue)
      const leave = () => {
        feed.queues.delete(reader.queue)
        if (feed.queues.size === 0 && feeds.get(accountId) === feed) feeds.delete(accountId)
      }
      await feed.ready.catch((error: unknown) => {
        leave()
        throw error
      })
      return { ...reader, leave }
    },
    wake: (accountId) => void feeds.get(accountId)?.look().catch(failures.onError),
    stop,
  }
}

/** The new events of one account. */
interface Feed {
  /** Resolves when it is known what is new. */
  ready: Promise<void>
  queues: Set<Queue>
  newest: () => string
  /** Looks for new events, once for all who ask while another look is under way. */
  look: () => Promise<void>
}

interface Queue {
  wants: (event: Event) => boolean
  push: (recorded: RecordedEvent) => void
}

function openFeed(accountId: string, { db, clock }: Pick<Services, 'db' | 'clock'>): Feed {
  const queues = new Set<Queue>()
  const seen = new Set<string>()
  let newest = 'evt_'
  let wholeAtMs = 0
  let isWanted = false
  let looking: Promise<void> | null = null

  async function begin(): Promise<void> {
    const [last] = readIds(await db.read(selectNewest, [accountId]))
    newest = last?.id ?? newest
    const start = earlier(newest, overlap(OVERLAP_MS + WHOLE_OVERLAP_EVERY_MS))
    for await (const ids of idsAfter(accountId, start, db)) for (const id of ids) note(id)
  }

  function note(id: string): void {
    seen.add(id)
    if (id > newest) newest = id
  }

  const overlap = (ms: number) => idsFrom('evt', clock.now() - ms)

  async function lookOnce(): Promise<void> {
    const isWhole = clock.now() >= wholeAtMs
    const start = overlap(isWhole ? OVERLAP_MS + WHOLE_OVERLAP_EVERY_MS : SHORT_OVERLAP_MS)
    for await (const ids of idsAfter(accountId, earlier(newest, start), db))
      await tell(ids.filter((id) => !seen.has(id)))
    if (!isWhole) return
    wholeAtMs = clock.now() + WHOLE_OVERLAP_EVERY_MS
    for (const id of seen) if (id <= start) seen.delete(id)
  }

  /** Delivers events and only then counts them as seen, so that a failure in between loses none. */
  async function tell(ids: readonly string[]): Promise<void> {
    const [first, last] = [ids[0], ids.at(-1)]
    if (first === undefined || last === undefined) return
    for await (const event of eventsBetween({ accountId, first, last }, db)) {
      if (seen.has(event.id)) continue
      const recorded = { event, data: JSON.stringify(event) }
      note(event.id)
      for (const queue of queues) if (queue.wants(event)) queue.push(recorded)
    }
  }

  const ready = begin()
  async function run(): Promise<void> {
    await ready
    while (isWanted && queues.size > 0) {
      isWanted = false
      await lookOnce()
      await delay(LOOK_PAUSE_MS, undefined, { ref: false })
    }
  }
  return {
    ready,
    queues,
    newest: () => newest,
    look() {
      isWanted = true
      looking ??= run().finally(() => (looking = null))
      return looking
    },
  }
}

function liveReader(feed: Feed, wants: Queue['wants']): Omit<LiveReader, 'leave'> & { queue: Queue } {
  let waiting: RecordedEvent[] = []
  let chars = 0
  let [isBehind, isBeat] = [false, false]
  let wake = (): void => {}

  function push(recorded: RecordedEvent): void {
    chars += recorded.data.length
    if (waiting.length >= WAITING_MAX || chars > WAITING_CHARS_MAX) isBehind = true
    if (isBehind) waiting = []
    else waiting.push(recorded)
    wake()
  }

  function taken(): RecordedEvent | 'behind' | 'beat' | null {
    if (isBehind) {
      isBehind = false
      chars = 0
      return 'behind'
    }
    const recorded = waiting.shift()
    if (recorded !== undefined) {
      chars -= recorded.data.length
      return recorded
    }
    if (!isBeat) return null
    isBeat = false
    return 'beat'
  }

  return {
    queue: { wants, push },
    async next(ended) {
      while (!ended.aborted) {
        const next = taken()
        if (next !== null) return next
        const { promise, resolve } = Promise.withResolvers<void>()
        wake = resolve
        ended.addEventListener('abort', wake)
        await promise
        ended.removeEventListener('abort', wake)
      }
      return null
    },
    beat() {
      isBeat = true
      wake()
    },
    position: () => (waiting.length > 0 || isBehind ? null : feed.newest()),
  }
}

/** The ids of an account's events after one, in lists of a bounded length. */
async function* idsAfter(accountId: string, start: string, db: Database): AsyncGenerator<string[]> {
  for (let after = start; ;) {
    const ids = readIds(await db.read(selectIds, [accountId, after])).map(({ id }) => id)
    yield ids
    const last = ids.at(-1)
    if (last === undefined || ids.length < IDS_MAX) return
    after = last
  }
}

/** The events of an account from one id to another, both included, in the order of ids. */
export async function* eventsBetween(
  { accountId, first, last }: { accountId: string; first: string; last: string },
  db: Database,
): AsyncGenerator<Event> {
  for (let [from, sql] = [first, selectFrom]; ; sql = selectAfter) {
    const events = readJoinedEvents(await db.read(sql, [accountId, from, last]))
    yield* events
    const end = events.at(-1)
    if (end === undefined || events.length < ROWS_MAX) return
    from = end.id
  }
}

function earlier(a: string, b: string): string {
  return a < b ? a : b
}

const readIds = rowReader(pick(eventsTable, 'id'))
const selectNewest = 'SELECT id FROM events WHERE account_id = ? ORDER BY id DESC LIMIT 1'
const selectIds = `SELECT id FROM events WHERE account_id = ? AND id > ? ORDER BY id LIMIT ${IDS_MAX}`
const selectFrom = `SELECT ${joinedColumns} FROM ${joinedTables}
  WHERE e.account_id = ? AND e.id >= ? AND e.id <= ? ORDER BY e.id LIMIT ${ROWS_MAX}`
const selectAfter = selectFrom.replace('e.id >= ?', 'e.id > ?')
