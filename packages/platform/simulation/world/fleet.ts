import type { Host } from '../machine/host.ts'
import type { PlannedEvent } from '../plan.ts'
import { hoardedBodies } from './hoarded-bodies.ts'
import { bootPlatform, type PlatformProcess, type Site } from './platforms.ts'
import { isShutOut, laterOf, type Release, type Start, wrongStart } from './releases.ts'
import { newHost } from './run-world.ts'

/** The processes of a platform. */
export class Fleet {
  readonly #site: Site
  #all: PlatformProcess[] = []
  #booted = 0
  /** The release being rolled out, and the one that every process has reached. */
  #newest: Release = 'now'
  #everywhere: Release = 'now'

  constructor(site: Site) {
    this.#site = site
  }

  readonly living = (): readonly PlatformProcess[] => (this.#all = this.#all.filter(({ host }) => host.isAlive))

  /** Starts new processes with a release from now on. Crashed ones return with their former one. */
  rollOut(release: Release): void {
    this.#newest = release
  }

  /** Ends the return of processes with an older release. */
  rolledOut(): void {
    this.#everywhere = this.#newest
  }

  /** Starts a process, unless it would be the second one at an embedded database. */
  boot(release: Release = this.#newest): PlatformProcess | undefined {
    const { server, world } = this.#site
    if (server.engine === 'sqlite' && this.living().length > 0) {
      // The supervisor waits for the process that is stopping.
      const isComing = this.living().some(({ isServing }) => isServing)
      if (!isComing) world.scheduler.after(1_000, 'a supervisor looks again', () => this.#bootAgain(release))
      return undefined
    }
    this.#booted += 1
    const name = `api-${this.#booted}`
    const skew = world.dice.fork(`clock of ${name}`)
    const skewMs = skew.chance(0.25) ? skew.between(-300_000, 300_000) : skew.between(-50, 50)
    const host: Host = newHost(name, this.#site, skewMs)
    world.tell(name, release === 'now' ? 'starts' : `starts, of the ${release} release`)
    const oldest = server.oldestSchema()
    const failed = (error: unknown) => this.#seeFailed(error, { release, oldest })
    const process = bootPlatform(name, host, { ...this.#site, release, failed })
    this.#all.push(process)
    return process
  }

  /** The release to restart with: the former one, unless every process has left it. */
  #bootAgain(release: Release): void {
    this.boot(laterOf(release, this.#everywhere))
  }

  /** Restarts a process that failed to start, unless it was refused for being too old. */
  #seeFailed(error: unknown, start: Start): void {
    const { world, server } = this.#site
    const problem = wrongStart(error, start, server)
    if (problem !== null) return world.fail(problem)
    if (isShutOut(error)) return world.count('starts of a release that is too old')
    world.scheduler.after(2_000, 'a supervisor starts again', () => this.#bootAgain(start.release))
  }

  /** Crashes the process of a machine, as by `kill -9`. */
  kill(host: Host, why: string): void {
    const victim = this.living().find((each) => each.host === host)
    if (victim !== undefined) this.#crash(victim, why)
  }

  /** Starts a process if there is none. */
  keepAlive(): void {
    if (this.living().every(({ isServing }) => !isServing)) this.boot()
  }

  /** Ends all partitions. */
  mend(): void {
    for (const { link } of this.living()) link.cut(false)
  }

  /** Crashes all processes. */
  crashAll(): void {
    for (const { host } of this.living()) host.crash()
  }

  befall(event: PlannedEvent): void {
    this.#site.world.count(event.fault)
    if (this.#befallsAll(event)) return
    const victims = this.living()
    const victim = victims[event.target % Math.max(1, victims.length)]
    if (victim !== undefined) this.#befallOne(event, victim)
  }

  /** @returns Whether the fault concerns more than a single process. */
  #befallsAll({ fault, forMs, byMs }: PlannedEvent): boolean {
    const { world, server } = this.#site
    const later = (then: () => void) => void world.scheduler.after(forMs, `${fault} is over`, then)
    if (fault === 'power.loss') {
      server.whenWriting(() => world.scheduler.after(0, 'the power goes', () => this.#losePower(forMs)))
    } else if (fault === 'database.failover') {
      world.tell('database', 'fails over')
      server.stop()
      later(() => server.start())
    } else if (fault === 'database.full') {
      world.tell('database', 'its disk is full')
      server.fill(true)
      later(() => server.fill(false))
    } else if (fault === 'database.clock') {
      world.tell('database', `its clock is set by ${Math.round(byMs / 5)} ms`)
      server.setClock(byMs / 5)
    } else return false
    return true
  }

  #losePower(forMs: number): void {
    const victims = this.living()
    for (const each of victims) this.#crash(each, 'loses power')
    this.#loseDisk()
    this.#site.world.scheduler.after(forMs, 'the power is back', () =>
      victims.forEach((each) => this.#bootAgain(each.release)),
    )
  }

  /** Crashes everything. The disk of an embedded database keeps what was synced, and part of the rest. */
  #loseDisk(): void {
    const { world, server } = this.#site
    const lost = server.losePower(world.dice.fork(`disk ${world.scheduler.nowMs}`))
    if (lost === null) return
    const { cut, problems } = lost
    if (cut.unsynced > 0) world.count('writes cut off')
    if (cut.isTorn) world.count('torn writes')
    world.tell('disk', `keeps ${cut.kept} of ${cut.unsynced} bytes that it had not synced${cut.isTorn ? ', torn' : ''}`)
    for (const problem of problems) world.fail(`disk: ${problem}`)
  }

  #befallOne({ fault, forMs, byMs }: PlannedEvent, victim: PlatformProcess): void {
    const { host, link } = victim
    const { world } = this.#site
    const later = (then: () => void) => void world.scheduler.after(forMs, `${fault} is over`, then)
    if (fault === 'process.crash') {
      this.#crash(victim, 'is killed')
      later(() => this.#bootAgain(victim.release))
    } else if (fault === 'process.pause') {
      world.tell(host.name, `stands still for ${Math.round(forMs)} ms`)
      host.pause(forMs)
    } else if (fault === 'process.restart') {
      world.tell(host.name, 'is stopped')
      victim.stop()
      later(() => this.#bootAgain(victim.release))
    } else if (fault === 'process.clock') {
      world.tell(host.name, `its clock is set by ${Math.round(byMs)} ms`)
      host.setClock(byMs)
    } else if (fault === 'process.bodies') {
      world.tell(host.name, `holds bodies that do not come for ${Math.round(forMs)} ms`)
      for (const body of hoardedBodies(this.#site, forMs)) victim.serve('api', body, () => {})
    } else {
      world.tell(host.name, 'is cut off from the database')
      link.cut(true)
      later(() => link.cut(false))
    }
  }

  #crash({ host, link }: PlatformProcess, why: string): void {
    this.#site.world.tell(host.name, why)
    link.cut(true)
    host.crash()
  }
}
