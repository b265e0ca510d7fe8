import { inspector } from './invariants/after-steps.ts'
import { judge } from './invariants/at-the-end.ts'
import { isBuyerAwaited, restWatch, sweeping } from './invariants/at-rest.ts'
import { missingMembers } from './invariants/members.ts'
import type { Machines } from './machine/builtins.ts'
import type { Phase, Plan } from './plan.ts'
import { author } from './world/author.ts'
import { openBank } from './world/bank.ts'
import { clerk } from './world/clerk.ts'
import { openNetwork } from './world/client.ts'
import { DatabaseServer } from './world/database.ts'
import { openDirectory } from './world/directory.ts'
import { Fleet } from './world/fleet.ts'
import { openMerchant } from './world/merchant.ts'
import { buyer, hurrier, type Memory, operator, type Person, type Town } from './world/people.ts'
import type { Site } from './world/platforms.ts'
import { newPluginMemory } from './world/plugin.ts'
import { openReceivers } from './world/receivers.ts'
import { goOn } from './world/run-world.ts'
import type { Template } from './world/template.ts'
import { upgradePlatform } from './world/upgrade.ts'
import { visitor } from './world/visitor.ts'
import { type LogLine, newWorld, type World } from './world/world.ts'

/** The result of a seed's world. */
export interface Result {
  seed: string
  /** The problems found, in order of time; empty if all is well. */
  problems: readonly string[]
  /** The SHA-256 of the log. */
  hash: string
  steps: number
  /** The time that passed in the world, without jumps, and for real. */
  worldMs: number
  realMs: number
  counts: ReadonlyMap<string, number>
  lines: readonly LogLine[]
}

/** The environment of a run. */
export interface Running {
  machines: Machines
  template: Template
  /** Whether to keep every line of the log, for a timeline. */
  keepsLines?: boolean
}

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
/** The longest authentication: half an hour for the buyer, ten minutes for the shop, and some reserve. */
const BUYERS_TIME_MS = 45 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS

/** Runs a world from its start to its judgement. The same plan always logs the same bytes. */
export async function runPlan(plan: Plan, { machines, template, keepsLines = false }: Running): Promise<Result> {
  const begunMs = machines.realMs()
  const world = newWorld(plan.seed, { keepsLines })
  machines.inWorld(world.scheduler)
  const server = new DatabaseServer(plan.engine, template.bytes, world.scheduler)
  const outside = {
    bank: openBank(world),
    receivers: openReceivers(world),
    merchant: openMerchant(world),
    directory: openDirectory(world),
  }
  const { shop } = template
  const files = new Map(template.files)
  const site: Site = { world, server, files, ...outside, neighbourKey: shop.neighbourKey, logged: [] }
  const fleet = new Fleet(site)
  const plugin = newPluginMemory(shop.firstDeployment)
  const memory: Memory = {
    wanted: new Map(),
    merged: [],
    evidence: new Map(),
    quantities: new Map(),
    allowedMs: [],
    plugin,
  }
  const network = openNetwork(world, fleet.living)
  site.bank.events.sendTo(shop.accountId, network)
  const town: Town = { world, network, shop, memory, jwk: newestJwk(server) }
  const course = new Course({ plan, site, fleet, town, machines })
  await course.run()
  fleet.crashAll()
  server.close()
  return {
    seed: plan.seed,
    problems: [...world.problems],
    hash: world.log.hash(),
    steps: course.steps,
    worldMs: course.livedMs(),
    realMs: machines.realMs() - begunMs,
    counts: world.counts,
    lines: world.log.lines,
  }
}

function newestJwk(server: DatabaseServer): Town['jwk'] {
  const [row] = server.rows('SELECT public_jwk FROM vault_keys ORDER BY created_at DESC, id DESC LIMIT 1', [])
  return JSON.parse(String(row?.['public_jwk']))
}

interface CourseParts {
  plan: Plan
  site: Site
  fleet: Fleet
  town: Town
  machines: Machines
}

/**
 * The course of a world: a busy time with faults, a quiet one in which it comes to rest, perhaps a month, the
 * judgement.
 */
class Course {
  readonly #parts: CourseParts
  readonly #inspect: () => void
  readonly #isAtRest: () => boolean
  readonly #startMs: number
  #jumpedMs = 0
  steps = 0

  constructor(parts: CourseParts) {
    this.#parts = parts
    this.#inspect = inspector(parts.site, parts.fleet.living)
    this.#isAtRest = restWatch(parts.site)
    this.#startMs = parts.site.world.scheduler.nowMs
  }

  /** The time passed in the world in milliseconds, without jumps. */
  livedMs(): number {
    return this.#parts.site.world.scheduler.nowMs - this.#startMs - this.#jumpedMs
  }

  async run(): Promise<void> {
    const { plan, site, fleet, town } = this.#parts
    const { scheduler } = site.world
    const { upgrade } = plan
    for (let n = 0; n < plan.processes; n++) fleet.boot()
    for (const phase of plan.phases) {
      scheduler.after(phase.fromMs, 'the world changes', () => enter(phase, site.world))
    }
    for (const event of plan.events) scheduler.after(event.atMs, event.fault, () => fleet.befall(event))
    const people = populate(
      plan,
      town,
      upgrade && (() => upgradePlatform(upgrade, { site, fleet, pause: town.network.pause })),
    )
    await this.#live(plan.busyMs)
    this.#quiet()
    await this.#live(5 * MINUTE_MS, () => people.left() === 0)
    if (people.left() > 0) this.#fail(`waiting: ${people.left()} people are not answered`)
    const stillMissing = missingMembers(site, fleet.living)
    await this.#live(8_000)
    for (const problem of stillMissing()) this.#fail(problem)
    this.#jump(12 * MINUTE_MS)
    await this.#comeToRest()
    if (isBuyerAwaited(site)) {
      this.#jump(BUYERS_TIME_MS)
      await this.#comeToRest()
    }
    if (plan.month) await this.#month()
    if (plan.authors > 0) await this.#sweep()
    await this.#judge()
  }

  /** Subscriptions renew, under a short return of the last faults. */
  async #month(): Promise<void> {
    const { plan, site } = this.#parts
    site.world.rates = plan.phases.at(-1)?.rates ?? {}
    this.#jump(32 * DAY_MS)
    await this.#live(20_000)
    this.#quiet()
    await this.#comeToRest()
    this.#jump(HOUR_MS)
    await this.#comeToRest()
    this.#jump(DAY_MS)
    await this.#comeToRest()
  }

  /** A day passes, after which bytes that belong to no deployment must be gone. */
  async #sweep(): Promise<void> {
    const { site } = this.#parts
    this.#jump(DAY_MS + HOUR_MS)
    await this.#comeToRest()
    await this.#live(3 * MINUTE_MS, sweeping(site))
  }

  async #judge(): Promise<void> {
    const { plan, site, fleet, town } = this.#parts
    if (site.world.problems.length > 0) return
    const live = (until: () => boolean) => this.#live(MINUTE_MS, until)
    await judge({ site, town, fleet, process: fleet.living()[0], plan, live })
  }

  /** Runs the world until a problem is found or the time is over. */
  async #live(forMs: number, until: () => boolean = () => false): Promise<void> {
    const { site, machines } = this.#parts
    const { world } = site
    this.steps += await goOn(site, machines, {
      untilMs: world.scheduler.nowMs + forMs,
      until: () => world.problems.length > 0 || until(),
      afterStep: this.#inspect,
    })
  }

  /** A processor repeats an event up to five minutes later. */
  #comeToRest(): Promise<void> {
    return this.#live(6 * MINUTE_MS, this.#isAtRest)
  }

  /** Crashes all processes, skips some time and starts one process. */
  #jump(byMs: number): void {
    const { site, fleet } = this.#parts
    const { world } = site
    if (world.problems.length > 0) return
    world.tell('world', `stands still for ${Math.round(byMs / MINUTE_MS)} minutes`)
    fleet.crashAll()
    world.scheduler.skipTo(world.scheduler.nowMs + byMs)
    this.#jumpedMs += byMs
    fleet.boot()
  }

  /** Ends all faults, and repairs whatever is broken. */
  #quiet(): void {
    const { site, fleet } = this.#parts
    const { world, server } = site
    world.rates = {}
    world.tell('world', 'quiet from here on')
    server.start()
    if (server.engine === 'sqlite') server.fill(false)
    fleet.mend()
    fleet.keepAlive()
  }

  #fail(problem: string): void {
    const { world } = this.#parts.site
    if (world.problems.length === 0) world.fail(problem)
  }
}

function enter({ rates }: Phase, world: World): void {
  world.rates = rates
  world.tell('world', `faults from here on: ${JSON.stringify(rates)}`)
}

/** @param upgrade The work of an operator who upgrades at the same time; `null` for none. */
function populate(
  { buyers, operators, hurriers, authors, visitors }: Plan,
  town: Town,
  upgrade: (() => Promise<void>) | null,
): { left: () => number } {
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
  move('clerk', 1, clerk)
  if (upgrade !== null) move('upgrade', 1, upgrade)
  move('author', authors, author)
  move('visitor', visitors, visitor)
  return { left: () => left }
}
