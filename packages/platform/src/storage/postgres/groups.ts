import { DatabaseUnavailable, type PoolLoad } from '../database.ts'
import type { Link } from './connection.ts'

/** Something to be sent to the server, and its caller's promise. */
export interface Waiting {
  reject(error: Error): void
}

/** Limits of a group. `untilMs` is of `performance.now()`: by then every item has its answer. */
export interface GroupLimits {
  untilMs: number
}

/** How items are sent. */
export interface GroupOptions<Item> {
  /** Limits a group's size. */
  maxGroup: number
  /** So many connections are used whenever they are free, and the others when these cannot keep up. */
  eager: number
  /** How long an item waits for one of those at most. */
  gatherMs: number
  /** From the call to the answer, whatever the network does. */
  answerMs?: number
  /** Answers every item of a group in time, and never rejects. */
  settle: (link: Link, group: readonly Item[], limits: GroupLimits) => Promise<void>
}

const ANSWER_MS = 9_000
/** The share of that for which an item waits for a free connection; the rest is for the work itself. */
const QUEUE_SHARE = 2 / 3

/** While the eager connections are busy, items wait until there are so many: a larger group costs less. */
const GATHER_ITEMS = 16

/**
 * Sends all waiting items together whenever a connection is free: under load they share a round trip, and a lone item
 * never waits. A group that takes long holds up what comes behind it for `gatherMs` at most. An item that finds no free
 * connection in time is rejected without having been sent.
 */
export class Groups<Item extends Waiting> {
  readonly #options: GroupOptions<Item>
  readonly #answerMs: number
  readonly #queueMs: number
  readonly #connections: number
  readonly #free: Link[]
  readonly #busy = new Set<Promise<void>>()
  #waiting: { item: Item; sinceMs: number }[] = []
  #isExpiring = false
  #isGathering = false

  constructor(links: readonly Link[], options: GroupOptions<Item>) {
    this.#options = options
    this.#answerMs = options.answerMs ?? ANSWER_MS
    this.#queueMs = this.#answerMs * QUEUE_SHARE
    this.#connections = links.length
    this.#free = [...links]
  }

  /** @param sinceMs When its caller began to wait, of `performance.now()`; now unless given. */
  add(item: Item, sinceMs: number = performance.now()): void {
    // Node runs immediates after all input of a turn, so items that arrive together are sent together.
    if (this.#waiting.length === 0 || this.#waiting.length === GATHER_ITEMS - 1) setImmediate(() => this.#dispatch())
    this.#waiting.push({ item, sinceMs })
  }

  load(): Omit<PoolLoad, 'pool'> {
    return { connections: this.#connections, used: this.#busy.size, waiting: this.#waiting.length }
  }

  /** Resolves when every added item is settled. */
  async idle(): Promise<void> {
    this.#dispatch()
    while (this.#busy.size > 0) await Promise.all(this.#busy)
  }

  #dispatch(): void {
    while (this.#waiting[0] !== undefined) {
      if (this.#gathers(this.#waiting[0].sinceMs)) return this.#dispatchLater()
      const link = this.#free.pop()
      if (link === undefined) return this.#expireLater(this.#waiting[0].sinceMs)
      const untilMs = this.#waiting[0].sinceMs + this.#answerMs
      const group = this.#waiting.slice(0, this.#options.maxGroup).map(({ item }) => item)
      this.#waiting = this.#waiting.slice(group.length)
      const work = this.#options.settle(link, group, { untilMs }).then(() => {
        this.#busy.delete(work)
        this.#free.push(link)
        this.#dispatch()
      })
      this.#busy.add(work)
    }
  }

  #gathers(sinceMs: number): boolean {
    const { eager, gatherMs } = this.#options
    if (this.#busy.size < eager || this.#waiting.length >= GATHER_ITEMS) return false
    return performance.now() - sinceMs < gatherMs
  }

  #dispatchLater(): void {
    if (this.#isGathering) return
    this.#isGathering = true
    setTimeout(() => {
      this.#isGathering = false
      this.#dispatch()
    }, this.#options.gatherMs)
  }

  #expireLater(sinceMs: number): void {
    if (this.#isExpiring) return
    this.#isExpiring = true
    setTimeout(() => this.#expire(), Math.max(1, sinceMs + this.#queueMs - performance.now()))
  }

  #expire(): void {
    this.#isExpiring = false
    const lateMs = performance.now() - this.#queueMs
    const late = this.#waiting.filter(({ sinceMs }) => sinceMs <= lateMs)
    this.#waiting = this.#waiting.filter(({ sinceMs }) => sinceMs > lateMs)
    for (const { item } of late) {
      const reason = `no connection became free within ${this.#queueMs} ms; nothing was sent`
      item.reject(new DatabaseUnavailable(`PostgreSQL cannot serve: ${reason}`))
    }
    if (this.#waiting[0] !== undefined) this.#expireLater(this.#waiting[0].sinceMs)
  }
}
