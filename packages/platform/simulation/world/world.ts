import { createHash } from 'node:crypto'
import { type Dice, dice } from '../machine/dice.ts'
import { type Scheduler, scheduler } from '../machine/scheduler.ts'
import type { Rates } from './faults.ts'

/** The time at which every world starts. */
export const STARTS_AT_MS = Date.UTC(2030, 0, 7, 9)

/** A line of the log. */
export interface LogLine {
  atMs: number
  /** The lane of the line. */
  who: string
  what: string
}

/** The environment of everything in a world: its time, its randomness, its log and its present faults. */
export interface World {
  readonly scheduler: Scheduler
  readonly dice: Dice
  /** The present probability of each fault. */
  rates: Rates
  /** Logs a line. */
  tell(who: string, what: string): void
  readonly log: EventLog
  /** Notes a problem, which fails the seed. */
  fail(problem: string): void
  readonly problems: readonly string[]
  /** Counts a fault or an action. */
  count(name: string): void
  readonly counts: ReadonlyMap<string, number>
}

/** The log of a run. Its hash is always kept. */
export interface EventLog {
  /** The SHA-256 of all lines so far, in hex. */
  hash(): string
  readonly lines: readonly LogLine[]
}

/** @param seed Decides everything. `keepsLines`: for a timeline; without lines a run takes less memory. */
export function newWorld(
  seed: string,
  { keepsLines, startsAtMs = STARTS_AT_MS }: { keepsLines: boolean; startsAtMs?: number },
): World {
  const chance = dice(seed)
  const time = scheduler(startsAtMs, chance.fork('order'))
  const digest = createHash('sha256')
  const lines: LogLine[] = []
  const problems: string[] = []
  const counts = new Map<string, number>()
  const world: World = {
    scheduler: time,
    dice: chance,
    rates: {},
    tell(who, what) {
      digest.update(`${time.nowMs.toFixed(3)} ${who}: ${what}\n`)
      if (keepsLines) lines.push({ atMs: time.nowMs, who, what })
    },
    log: { hash: () => digest.copy().digest('hex'), lines },
    fail(problem) {
      problems.push(problem)
      world.tell('judge', problem)
    },
    problems,
    count: (name) => void counts.set(name, (counts.get(name) ?? 0) + 1),
    counts,
  }
  return world
}

/** Whether a fault strikes here and now. Counts it. */
export function strikes(world: World, fault: keyof Rates): boolean {
  const rate = world.rates[fault] ?? 0
  if (rate === 0 || !world.dice.chance(rate)) return false
  world.count(fault)
  return true
}
