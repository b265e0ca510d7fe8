import { ApiError } from '../../runtime/index.ts'

/** The limits on all request bodies of a process together, in bytes. */
export interface BodyLimits {
  /** In memory, large ones that are being parsed included. */
  memoryBytes: number
  /** On disk, where large ones wait to be parsed or stored. */
  diskBytes: number
}

/** The current use of the budget in bytes, and the number of bodies refused since the start. For metrics. */
export interface BodyUse {
  memory: { used: number; capacity: number }
  disk: { used: number; capacity: number }
  /** Taken by large bodies while they are parsed. */
  parsing: { used: number; capacity: number }
  /** Large bodies that have arrived and wait to be parsed. */
  waiting: number
  /** `spent`: refused with 503, the budget was used up. `share`: refused with 429, the sender held its share. */
  refused: { spent: number; share: number }
}

/**
 * A budget for the bodies of all requests, so that many large ones at once cannot use up memory or disk. A subject,
 * which is an account or an address, gets at most half of it, but always one body if it holds none yet.
 */
export interface BodyBudget {
  /** Opens the account of a request. It must be closed with `leave` when the request is over. */
  enter: (subject: string) => Room
  use: () => BodyUse
}

/** The part of the budget that one request holds. */
export interface Room {
  /** @throws {ApiError} 503 or 429 when there is no room for so many more bytes. */
  takeMemory: (bytes: number) => void
  /** @throws {ApiError} As above. */
  takeDisk: (bytes: number) => void
  /**
   * Waits for the memory to parse a large body, and parses it. Subjects take turns.
   *
   * @throws {ApiError} 503 after six seconds.
   */
  parseInTurn: <Result>(bytes: number, parse: () => Promise<Result>) => Promise<Result>
  /** Registers clean-up that `leave` waits for. */
  onLeave: (end: () => Promise<void>) => void
  /** Runs the clean-up and returns everything the request held. */
  leave: () => Promise<void>
}

/**
 * The most that a large body takes while it is parsed: its outline as bytes and as text, and the values made from it.
 */
const PARSE_BYTES = 20 * 1024 * 1024
/** The part of the memory reserved for parsing: one body for each thread. */
export const PARSING_BYTES = 2 * PARSE_BYTES
/** How long a received body waits for its turn. Its sender must have an answer within ten seconds. */
const TURN_MS = 6_000

/** Makes the budget of a process. */
export function bodyBudget({ memoryBytes, diskBytes }: BodyLimits): BodyBudget {
  const memory = new Purse(memoryBytes - PARSING_BYTES)
  const disk = new Purse(diskBytes)
  const parsing = new Turns(PARSING_BYTES)
  const refused = { spent: 0, share: 0 }
  const take = (purse: Purse, subject: string, bytes: number) => {
    const taken = purse.take(subject, bytes)
    if (taken === 'taken') return
    refused[taken] += 1
    throw taken === 'spent' ? spent() : ownShare()
  }
  return {
    enter(subject) {
      let held = { memory: 0, disk: 0 }
      const ends: (() => Promise<void>)[] = []
      return {
        takeMemory(bytes) {
          take(memory, subject, bytes)
          held.memory += bytes
        },
        takeDisk(bytes) {
          take(disk, subject, bytes)
          held.disk += bytes
        },
        async parseInTurn(bytes, parse) {
          const share = Math.min(bytes, PARSE_BYTES)
          if (!(await parsing.wait(subject, share))) {
            refused.spent += 1
            throw spent()
          }
          return parse().finally(() => parsing.giveBack(share))
        },
        onLeave: (end) => void ends.push(end),
        async leave() {
          await Promise.all(ends.splice(0).map((end) => end()))
          const gone = held
          held = { memory: 0, disk: 0 }
          memory.giveBack(subject, gone.memory)
          disk.giveBack(subject, gone.disk)
        },
      }
    },
    use: () => ({
      memory: { used: memory.used, capacity: memory.capacity },
      disk: { used: disk.used, capacity: disk.capacity },
      parsing: { used: parsing.used, capacity: parsing.capacity },
      waiting: parsing.waiting,
      refused: { ...refused },
    }),
  }
}

/** Reads a small body, which counts towards the budget of its address until it is read. */
export async function readWithin<Body>(
  budget: BodyBudget,
  address: string,
  read: (room: Room) => Promise<Body>,
): Promise<Body> {
  const room = budget.enter(`address:${address}`)
  try {
    return await read(room)
  } finally {
    await room.leave()
  }
}

/** An amount shared by subjects, by the rule of `BodyBudget`. */
class Purse {
  readonly capacity: number
  used = 0
  readonly #held = new Map<string, number>()

  constructor(capacity: number) {
    this.capacity = capacity
  }

  take(subject: string, bytes: number): 'taken' | 'spent' | 'share' {
    const held = this.#held.get(subject) ?? 0
    if (this.used + bytes > this.capacity) return 'spent'
    if (held > 0 && held + bytes > this.capacity / 2) return 'share'
    this.used += bytes
    this.#held.set(subject, held + bytes)
    return 'taken'
  }

  giveBack(subject: string, bytes: number): void {
    if (bytes === 0) return
    this.used -= bytes
    const held = (this.#held.get(subject) ?? 0) - bytes
    if (held > 0) this.#held.set(subject, held)
    else this.#held.delete(subject)
  }
}

interface Waiter {
  bytes: number
  resolve: (hasTurn: boolean) => void
  timer: NodeJS.Timeout
}

/** An amount that subjects wait for. Waiting subjects take turns; the requests of one subject are served in order. */
class Turns {
  readonly capacity: number
  used = 0
  readonly #queues = new Map<string, Waiter[]>()

  constructor(capacity: number) {
    this.capacity = capacity
  }

  get waiting(): number {
    return [...this.#queues.values()].reduce((sum, { length }) => sum + length, 0)
  }

  /** @returns Whether the turn has come; `false` when it took too long. */
  wait(subject: string, bytes: number): Promise<boolean> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => this.#giveUp(subject, waiter), TURN_MS)
      const waiter: Waiter = { bytes, resolve, timer }
      const queue = this.#queues.get(subject) ?? []
      queue.push(waiter)
      this.#queues.set(subject, queue)
      this.#next()
    })
  }

  giveBack(bytes: number): void {
    this.used -= bytes
    this.#next()
  }

  /** The first in order goes first even if a smaller one would fit: otherwise large ones would never have their turn. */
  #next(): void {
    for (const [subject, queue] of this.#queues) {
      const [waiter] = queue
      if (waiter === undefined || this.used + waiter.bytes > this.capacity) return
      queue.shift()
      this.#queues.delete(subject)
      if (queue.length > 0) this.#queues.set(subject, queue)
      clearTimeout(waiter.timer)
      this.used += waiter.bytes
      waiter.resolve(true)
    }
  }

  #giveUp(subject: string, waiter: Waiter): void {
    const queue = (this.#queues.get(subject) ?? []).filter((each) => each !== waiter)
    if (queue.length > 0) this.#queues.set(subject, queue)
    else this.#queues.delete(subject)
    waiter.resolve(false)
    this.#next()
  }
}

/** The rest of the body is not read, so the connection cannot be used again. */
const closing = { Connection: 'close' }

function spent(): ApiError {
  return new ApiError(
    'unavailable',
    'The service has too many request bodies to hold at the moment; try again later.',
    {
      headers: { 'Retry-After': '2', ...closing },
    },
  )
}

function ownShare(): ApiError {
  return new ApiError(
    'rate_limit_exceeded',
    'Too many large requests of yours are under way at the same time; send fewer at once.',
    { headers: { 'Retry-After': '1', ...closing } },
  )
}
