import type { Machines } from './machine/builtins.ts'
import { inspector } from './invariants/after-steps.ts'
import { judge } from './invariants/at-the-end.ts'
import { settling } from './invariants/settled.ts'
import type { Phase, Plan, PlannedEvent } from './plan.ts'
import { openBank } from './world/bank.ts'
import { openNetwork } from './world/client.ts'
import { DatabaseServer } from './world/database.ts'
import { buyer, hurrier, type Memory, operator, type Person, type Town } from './world/people.ts'
import { bootPlatform, type PlatformProcess, type Site } from './world/platforms.ts'
import { openReceivers } from './world/receivers.ts'
import { goOn, newHost } from './world/run-world.ts'
import type { Template } from './world/template.ts'
import { type LogLine, newWorld, type World } from './world/world.ts'

/** What came of a seed. */
export interface Result {
  seed: string
  /** What was wrong, the first first; empty when all was well. */
  problems: readonly string[]
  /** The SHA-256 of the log. */
  hash: string
  steps: number
  /** How much time has gone by in the world, jumps left out, and for real. */
  worldMs: number
  realMs: number
  counts: ReadonlyMap<string, number>
  lines: readonly LogLine[]
}

/** What a world is run with. */
export interface Running {
  machines: Machines
  template: Template
  /** Whether every line is kept, for a timeline. */
  keepsLines?: boolean
}

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS

/** Runs a world from its beginning to its judgement. The same plan gives the same bytes of log. */
export async function runPlan(plan: Plan, { machines, template, keepsLines = false }: Running): Promise<Result> {
  const begunMs = machines.realMs()
  const world = newWorld(plan.seed, { keepsLines })
  machines.inWorld(world.scheduler)
  const server = new DatabaseServer(plan.engine, template.bytes, world.scheduler)
  const site: Site = { world, server, bank: openBank(world), receivers: openReceivers(world), logged: [] }
  const fleet = openFleet(plan, site)
  const network = openNetwork(world, fleet.living)
  const memory: Memory = { wanted: new Map(), merged: [], allowedMs: [] }
  const town: Town = { world, network, shop: template.shop, memory, jwk: newestJwk(server) }
  const inspect = inspector(site)
  const startMs = world.scheduler.nowMs
  let jumpedMs = 0
  let steps = 0
  const isSettled = settling(site)
  const live = async (forMs: number, until?: () => boolean) => {
    const untilMs = world.scheduler.nowMs + forMs
    steps += await goOn(site, machines, {
      untilMs,
      until: () => world.problems.length > 0 || until?.() === true,
      afterStep: inspect,
    })
  }
  /** Nobody is there for so long; then one process starts. */
  const jump = async (byMs: number) => {
    if (world.problems.length > 0) return
    world.tell('world', `stands still for ${Math.round(byMs / MINUTE_MS)} minutes`)
    for (const { host } of fleet.living()) host.crash()
    world.scheduler.skipTo(world.scheduler.nowMs + byMs)
    jumpedMs += byMs
    fleet.boot()
  }
  const settle = () => live(2 * MINUTE_MS, isSettled)

  for (let n = 0; n < plan.processes; n++) fleet.boot()
  for (const phase of plan.phases) world.scheduler.after(phase.fromMs, 'the world changes', () => enter(phase, world))
  for (const event of plan.events) world.scheduler.after(event.atMs, event.fault, () => fleet.befall(event))
  const people = populate(plan, town)
  await live(plan.busyMs)
  quiet(fleet, site)
  await live(5 * MINUTE_MS, () => people.left() === 0)
  if (people.left() > 0 && world.problems.length === 0) world.fail(`${people.left()} people still wait for an answer`)
  await live(8_000)
  await jump(12 * MINUTE_MS)
  await settle()
  if (plan.month) {
    world.rates = plan.phases.at(-1)?.rates ?? {}
    await jump(32 * DAY_MS)
    await live(20_000)
    quiet(fleet, site)
    await settle()
    await jump(HOUR_MS)
    await settle()
    await jump(DAY_MS)
    await settle()
  }
  if (world.problems.length === 0) {
    await judge({ site, town, process: fleet.living()[0], plan, live: (until) => live(MINUTE_MS, until) })
  }
  for (const { host } of fleet.living()) host.crash()
  server.close()
  const worldMs = world.scheduler.nowMs - startMs - jumpedMs
  return {
    seed: plan.seed,
    problems: [...world.problems],
    hash: world.log.hash(),
    steps,
    worldMs,
    realMs: machines.realMs() - begunMs,
    counts: world.counts,
    lines: world.log.lines,
  }
}

function newestJwk(server: DatabaseServer): Town['jwk'] {
  const [row] = server.rows('SELECT public_jwk FROM vault_keys ORDER BY created_at DESC, id DESC LIMIT 1', [])
  return JSON.parse(String(row?.['public_jwk']))
}

function enter({ rates }: Phase, world: World): void {
  world.rates = rates
  world.tell('world', `faults from here on: ${JSON.stringify(rates)}`)
}

/** Nothing goes wrong any more, and everything that was broken is mended. */
function quiet(fleet: Fleet, { world, server }: Site): void {
  world.rates = {}
  world.tell('world', 'quiet from here on')
  server.start()
  if (server.engine === 'sqlite') server.fill(false)
  for (const { link } of fleet.living()) link.cut(false)
  fleet.keepAlive()
}

function populate({ buyers, operators, hurriers }: Plan, town: Town): { left: () => number } {
  let left = 0
  const move = (kind: string, count: number, live: Person) => {
    for (let n = 1; n <= count; n++) {
      left += 1
      const name = `${kind} ${n}`.replace(' ', '-')
      live(name, town)
        .catch((error: unknown) => town.world.fail(`${name} has failed: ${String(error)}`))
        .finally(() => (left -= 1))
    }
  }
  move('buyer', buyers, buyer)
  move('operator', operators, operator)
  move('hurrier', hurriers, hurrier)
  return { left: () => left }
}

/** The processes of a platform, which come and go. */
interface Fleet {
  living: () => readonly PlatformProcess[]
  boot: () => void
  befall: (event: PlannedEvent) => void
  /** Starts a process if there is none. */
  keepAlive: () => void
}

function openFleet(plan: Plan, site: Site): Fleet {
  const { world, server } = site
  const { scheduler } = world
  let all: PlatformProcess[] = []
  let booted = 0
  const living = () => (all = all.filter(({ host }) => host.isAlive))

  function boot(): void {
    // An embedded database belongs to one process at a time.
    if (server.engine === 'sqlite' && living().length > 0) return
    booted += 1
    const name = `api-${booted}`
    const skew = world.dice.fork(`clock of ${name}`)
    const host = newHost(name, site, skew.chance(0.25) ? skew.between(-300_000, 300_000) : skew.between(-50, 50))
    world.tell(name, 'starts')
    all.push(bootPlatform(name, host, site))
  }

  function crash({ host, link }: PlatformProcess, why: string): void {
    world.tell(host.name, why)
    link.cut(true)
    host.crash()
  }

  function befall({ fault, target, forMs, byMs }: PlannedEvent): void {
    world.count(fault)
    const victims = living()
    const victim = victims[target % Math.max(1, victims.length)]
    const later = (then: () => void) => void scheduler.after(forMs, `${fault} is over`, then)
    switch (fault) {
      case 'power.loss':
        for (const each of victims) crash(each, 'loses power')
        return later(() => victims.forEach(boot))
      case 'database.failover':
        world.tell('database', 'fails over')
        server.stop()
        return later(() => server.start())
      case 'database.full':
        world.tell('database', 'its disk is full')
        server.fill(true)
        return later(() => server.fill(false))
      case 'database.clock':
        world.tell('database', `its clock is set by ${Math.round(byMs / 5)} ms`)
        return server.setClock(byMs / 5)
    }
    if (victim === undefined) return
    switch (fault) {
      case 'process.crash':
        crash(victim, 'is killed')
        return later(boot)
      case 'process.pause':
        world.tell(victim.host.name, `stands still for ${Math.round(forMs)} ms`)
        return victim.host.pause(forMs)
      case 'process.restart':
        world.tell(victim.host.name, 'is stopped')
        victim.stop()
        return later(boot)
      case 'process.clock':
        world.tell(victim.host.name, `its clock is set by ${Math.round(byMs)} ms`)
        return victim.host.setClock(byMs)
      case 'process.partition':
        world.tell(victim.host.name, 'is cut off from the database')
        victim.link.cut(true)
        return later(() => victim.link.cut(false))
    }
  }

  function keepAlive(): void {
    if (living().every(({ isServing }) => !isServing)) boot()
  }

  return { living, boot, befall, keepAlive }
}
