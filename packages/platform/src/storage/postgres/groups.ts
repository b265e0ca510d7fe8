import { DatabaseUnavailable } from '../database.ts'
import type { Link } from './connection.ts'

/** Something to be sent to the server, and its caller's promise. */
export interface Waiting {
  reject(error: Error): void
  /** How long it may take from the call to the answer, where that is longer than usual. It is sent alone. */
  limitMs?: number
}

/** Items waiting to be sent to the server. */
export interface Groups<Item extends Waiting> {
  /** @param sinceMs When its caller began to wait, of `performance.now()`; now unless given. */
  add(item: Item, sinceMs?: number): void
  /** Resolves when every added item is settled. */
  idle(): Promise<void>
}

/** What a group is settled with. `untilMs` is of `performance.now()`: by then every item has its answer. */
export interface GroupLimits {
  untilMs: number
}

const ANSWER_MS = 9_000
/** The share of that for which an item waits for a free connection; the rest is for the work itself. */
const QUEUE_SHARE = 2 / 3

/**
 * Sends all waiting items together whenever a connection is free: under load they share a round trip, and a lone item
 * never waits. An item that finds no free connection in time is rejected without having been sent.
 *
 * @param options `maxGroup` limits a group's size; `answerMs` is the time from the call to the answer, whatever the network does;
 *   `settle` answers every item of a group by then and never rejects.
 */
export function inGroups<Item extends Waiting>(
  links: readonly Link[],
  options: {
    maxGroup: number
    answerMs?: number
    settle: (link: Link, group: readonly Item[], limits: GroupLimits) => Promise<void>
  },
): Groups<Item> {
  const { answerMs = ANSWER_MS } = options
  const queueMs = answerMs * QUEUE_SHARE
  const free = [...links]
  const busy = new Set<Promise<void>>()
  let waiting: { item: Item; sinceMs: number }[] = []
  let expiry: NodeJS.Timeout | null = null

  function takeGroup(): typeof waiting {
    const patient = waiting.findIndex(({ item }) => item.limitMs !== undefined)
    if (patient === 0) return waiting.splice(0, 1)
    return waiting.splice(0, patient < 0 ? options.maxGroup : Math.min(patient, options.maxGroup))
  }

  function dispatch(): void {
    while (waiting.length > 0) {
      const idle = free.pop()
      if (idle === undefined) return expireLater()
      const group = takeGroup()
      const [first] = group
      if (first === undefined) return
      const limitMs =
        first.item.limitMs === undefined ? first.sinceMs + answerMs : performance.now() + first.item.limitMs
      const items = group.map(({ item }) => item)
      const work = options.settle(idle, items, { untilMs: limitMs }).then(() => {
        busy.delete(work)
        free.push(idle)
        dispatch()
      })
      busy.add(work)
    }
  }

  function expireLater(): void {
    const [first] = waiting
    if (expiry !== null || first === undefined) return
    expiry = setTimeout(
      () => {
        expiry = null
        const now = performance.now()
        const late = waiting.filter(({ item, sinceMs }) => item.limitMs === undefined && now - sinceMs >= queueMs)
        waiting = waiting.filter((each) => !late.includes(each))
        for (const { item } of late) item.reject(new DatabaseUnavailable(allBusy(queueMs)))
        expireLater()
      },
      Math.max(1, first.sinceMs + queueMs - performance.now()),
    )
  }

  return {
    add(item, sinceMs = performance.now()) {
      // Node runs immediates after all input of a turn, so items that arrive together are sent together.
      if (waiting.length === 0) setImmediate(dispatch)
      waiting.push({ item, sinceMs })
    },
    async idle() {
      dispatch()
      while (busy.size > 0) await Promise.all(busy)
    },
  }
}

function allBusy(queueMs: number): string {
  return `PostgreSQL cannot serve: no connection became free within ${queueMs} ms; nothing was sent`
}
