import type { Database } from '../src/storage/database.ts'
import { type Dice, dice as diceOf } from './machine/dice.ts'
import { type EventFault, type MessageFault, messageFaults, type Rates } from './world/faults.ts'

/** All that a seed decides in advance. Taking parts out of it makes a smaller world of the same seed. */
export interface Plan {
  seed: string
  engine: Database['engine']
  /** How many processes there are at the beginning. */
  processes: number
  buyers: number
  operators: number
  hurriers: number
  /** How long the busy time is, in milliseconds. */
  busyMs: number
  /** The rates of faults, each from a moment on, counted from the beginning. */
  phases: readonly Phase[]
  events: readonly PlannedEvent[]
  /** Whether a month goes by in the end, in which subscriptions are renewed. */
  month: boolean
  /** Whether the platform is upgraded meanwhile. */
  upgrade: Upgrade | null
}

/** How a platform is upgraded while everybody works: to the next release, and then to the one after it. */
export interface Upgrade {
  fromMs: number
  /** Between the two, in milliseconds; half of it between two processes that are replaced. */
  pauseMs: number
  /** After which change of the schema the process that made it is killed, counted from 1; `null` for none. */
  diesAt: number | null
}

export interface Phase {
  fromMs: number
  rates: Rates
}

/** A fault at a time of its own. */
export interface PlannedEvent {
  atMs: number
  fault: EventFault
  /** Which process, counted among those that live. */
  target: number
  forMs: number
  /** By how much a clock is set. */
  byMs: number
}

const SHARED = [
  'process.crash',
  'process.pause',
  'process.restart',
  'process.clock',
  'process.partition',
  'database.failover',
  'database.clock',
  'power.loss',
] as const satisfies readonly EventFault[]
const EMBEDDED = [
  'process.crash',
  'process.pause',
  'process.restart',
  'process.clock',
  'database.full',
  'power.loss',
] as const satisfies readonly EventFault[]

/** The world of a seed. */
export function planOf(seed: string): Plan {
  const dice = diceOf(`plan ${seed}`)
  const engine = dice.chance(0.25) ? 'sqlite' : 'postgres'
  const busyMs = dice.between(20_000, 60_000)
  const phases = Array.from({ length: 1 + dice.below(3) }, (_, at) => ({
    fromMs: at === 0 ? 0 : dice.between(0, busyMs),
    rates: ratesOf(engine, dice),
  })).toSorted((a, b) => a.fromMs - b.fromMs)
  const faults: readonly EventFault[] = engine === 'postgres' ? SHARED : EMBEDDED
  const events = Array.from({ length: dice.below(7) }, () => ({
    atMs: dice.between(1_000, busyMs),
    fault: dice.pick(faults),
    target: dice.below(8),
    forMs: dice.chance(0.5) ? dice.between(200, 5_000) : dice.between(5_000, 40_000),
    byMs: dice.between(-600_000, 600_000),
  })).toSorted((a, b) => a.atMs - b.atMs)
  return {
    seed,
    engine,
    processes: engine === 'sqlite' ? 1 : 1 + dice.below(3),
    buyers: 2 + dice.below(7),
    operators: dice.below(4),
    hurriers: dice.chance(0.3) ? 1 : 0,
    busyMs,
    phases,
    events,
    month: dice.chance(0.35),
    upgrade: dice.chance(0.25) ? upgradeOf(busyMs, dice) : null,
  }
}

function upgradeOf(busyMs: number, dice: Dice): Upgrade {
  return {
    fromMs: dice.between(1_000, busyMs / 2),
    pauseMs: dice.between(0, 10_000),
    diesAt: dice.chance(0.7) ? 1 + dice.below(24) : null,
  }
}

/** A few faults at a time, some of them often: all of them at once would let nothing happen. */
function ratesOf(engine: Database['engine'], dice: Dice): Rates {
  const rates: Rates = {}
  const isCalm = dice.chance(0.15)
  // The names are the keys of the table.
  for (const fault of Object.keys(messageFaults) as MessageFault[]) {
    if (isCalm || !dice.chance(0.35)) continue
    if (engine === 'sqlite' && fault.startsWith('database.')) continue
    rates[fault] = dice.pick([0.01, 0.03, 0.1, 0.25]) * (fault.startsWith('database.') ? 0.4 : 1)
  }
  return rates
}
