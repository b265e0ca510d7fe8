import type { Database } from '../src/storage/database.ts'
import { type Dice, dice as diceOf } from './machine/dice.ts'
import { type EventFault, type MessageFault, messageFaults, type Rates } from './world/faults.ts'

/** A seed's decisions in advance. With parts left out it is a smaller world of the same seed. */
export interface Plan {
  seed: string
  engine: Database['engine']
  /** The number of processes at the start. */
  processes: number
  buyers: number
  operators: number
  hurriers: number
  /** Authors of the shop's plugin and visitors of its pages: in a third of the worlds. */
  authors: number
  visitors: number
  /** The length of the busy time, in milliseconds. */
  busyMs: number
  /** The rates of faults in phases, each from a time in milliseconds since the start. */
  phases: readonly Phase[]
  events: readonly PlannedEvent[]
  /** Whether a month passes at the end, so that subscriptions renew. */
  month: boolean
  /** Whether the platform is upgraded during the busy time. */
  upgrade: Upgrade | null
}

/** An upgrade under load: to the next release, and then to the one after it. */
export interface Upgrade {
  fromMs: number
  /** The time between the two in milliseconds; half of it passes between two replaced processes. */
  pauseMs: number
  /** The change of the schema, counted from 1, after which the process that made it is killed; `null` for none. */
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
  /** The index of the process among those alive. */
  target: number
  forMs: number
  /** The change of a clock, in milliseconds. */
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

/** Draws authors, visitors and their faults from dice of their own, so that worlds without them stay the same. */
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

/** Faults that only worlds with deployments have. */
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

/** Draws a few faults for each phase, some of them frequent: all of them at once would stop everything. */
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
