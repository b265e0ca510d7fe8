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
  /** Authors of the shop's plugin, and who looks at its pages: in a third of the worlds. */
  authors: number
  visitors: number
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
    ...pluginsOf({ seed, busyMs, phases, events }),
  }
}

function upgradeOf(busyMs: number, dice: Dice): Upgrade {
  return {
    fromMs: dice.between(1_000, busyMs / 2),
    pauseMs: dice.between(0, 10_000),
    diesAt: dice.chance(0.7) ? 1 + dice.below(24) : null,
  }
}

/** Who deploys and who visits, and what goes wrong with that. Worlds without them are the same as if there were none. */
function pluginsOf({
  seed,
  busyMs,
  phases,
  events,
}: Pick<Plan, 'seed' | 'busyMs' | 'phases' | 'events'>): Partial<Plan> & Pick<Plan, 'authors' | 'visitors'> {
  const dice = diceOf(`plugin ${seed}`)
  if (!dice.chance(0.35)) return { authors: 0, visitors: 0 }
  const hoards = Array.from({ length: dice.below(3) }, () => ({
    atMs: dice.between(1_000, busyMs),
    fault: 'process.bodies' as const,
    target: dice.below(8),
    forMs: dice.between(1_000, 20_000),
    byMs: 0,
  }))
  return {
    authors: 1 + dice.below(3),
    visitors: 1 + dice.below(3),
    phases: phases.map(({ rates, ...phase }) => ({ ...phase, rates: { ...rates, ...drawn(pluginFaults, dice) } })),
    events: [...events, ...hoards].toSorted((a, b) => a.atMs - b.atMs),
  }
}

/** What goes wrong only where somebody deploys. */
const pluginFaults = [
  'call.cut off',
  'files.request lost',
  'files.answer lost',
  'files.slow',
] as const satisfies readonly MessageFault[]

function drawn(faults: readonly MessageFault[], dice: Dice): Rates {
  const rates: Rates = {}
  for (const fault of faults) if (dice.chance(0.5)) rates[fault] = dice.pick([0.01, 0.03, 0.1, 0.25])
  return rates
}

/** A few faults at a time, some of them often: all of them at once would let nothing happen. */
function ratesOf(engine: Database['engine'], dice: Dice): Rates {
  const rates: Rates = {}
  const isCalm = dice.chance(0.15)
  // The names are the keys of the table.
  for (const fault of Object.keys(messageFaults) as MessageFault[]) {
    if (pluginFaults.some((each) => each === fault)) continue
    if (isCalm || !dice.chance(0.35)) continue
    if (engine === 'sqlite' && fault.startsWith('database.')) continue
    rates[fault] = dice.pick([0.01, 0.03, 0.1, 0.25]) * (fault.startsWith('database.') ? 0.4 : 1)
  }
  return rates
}
