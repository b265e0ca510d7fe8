import { setTimeout as delay } from 'node:timers/promises'
import type { Logger } from 'pino'
import { type Clock, OperatorError } from '../runtime/index.ts'
import { type Database, DatabaseUnavailable, type Statement } from '../storage/index.ts'
import { giveBack } from './give-back.ts'
import { beatOf, CLOCK_OFF_MS, hasWrongClock, insertMember, type Member, newMember, toMember } from './member.ts'
import { type PeerWatch, peerWatch, type ProcessRow, readProcesses, selectProcesses } from './peer-watch.ts'
import type { Circuits, ProcessReport, Round } from './tables.ts'
import { advanceSharedTime, beginSharedTime, followSharedTime, type TimeMeasured } from './shared-time.ts'

/**
 * How often a process beats. A process that has an embedded database to itself is watched by no other; it beats to
 * correct its clock, and to notice a full disk.
 */
const BEAT_EVERY_MS = { postgres: 1_000, sqlite: 5_000 } as const
/** After so many beats without one of its own, a process no longer knows whether the others still count on it. */
const CERTAIN_FOR_BEATS = 4.5
/** How long a request waits for the beat that makes its process certain again. */
const CERTAIN_WITHIN_MS = 2_000

/** Plain figures for health checks and metrics. */
export interface ClusterSnapshot {
  self: Member
  peers: readonly Member[]
  isMember: boolean
  /** Since the last beat that the database has confirmed, in milliseconds. */
  sinceBeatMs: number
  /** For how long a beat has been waiting for its answer, in milliseconds; 0 without one. */
  unansweredMs: number
  /** How far this machine's clock is ahead of the database's, in milliseconds. */
  clockOffsetMs: number
  /** How far this process is ahead of the shared time, in milliseconds: 0 unless it cannot follow. */
  clockLagMs: number
  roundTripMs: number
  /** How often this process was taken for dead and joined again. */
  rejoined: number
}

/**
 * The living processes of a platform. Each beats in the table `processes`; one whose beat stays the same is dead, and
 * its row is deleted by the first to notice. From then on its id is gone for good: what it held is free
 * (`holderIsGone`), and if it was only asleep it finds out with its next beat and joins again under a new id. No clock
 * takes part in that decision, neither a machine's nor the database's: the observer counts beats, its own included.
 */
export interface Cluster {
  /** This process. Its id changes when it was taken for dead and has joined again. */
  readonly self: Member
  /** The other living processes. */
  peers(): readonly Member[]
  isAlive(id: string): boolean
  /** Whether this process can be sure that the others count on it. */
  isMember(): boolean
  /** Whether it is a member, follows the time that all share, and no other has the right clock in its place: then it may run workers. */
  mayLead(): boolean
  /**
   * Waits until this process is a member, at most two seconds. Called before anything is begun in its name.
   *
   * @throws {DatabaseUnavailable}
   */
  certain(): Promise<void>
  /** Called when a process has come or gone, or something was given back. @returns Ends the calls. */
  onPeers(listener: () => void): () => void
  /** Beats now, unless a beat is under way, and waits for it. @throws What the database does. */
  beat(): Promise<void>
  snapshot(): ClusterSnapshot
  /** Has each beat tell the others which processors this process leaves alone. */
  tellCircuits(read: () => Circuits): void
  /** Circuits that the other living processes sent with their last beat, one entry for each process. */
  peerCircuits(): readonly Circuits[]
  /**
   * Frees what this process has taken and does not bring to an end, as soon as the database serves: other processes do
   * not wait for a lease to run out.
   *
   * @param statements Each frees one row, only while this process holds it, and returns the row (`RETURNING`). Whether
   *   the row was taken at all may be unknown, because the connection broke: they are repeated until it is certain.
   */
  giveBack(statements: readonly Statement[]): void
  /** Notes that a round of work has come to its end: shows whether any process still does this work. */
  finished(round: Round): void
  /** Notes how much this process took over whose process is gone, or which got no answer. */
  tookOver(count: number): void
  /** Notes how full the disk is. */
  sawDisk(disk: ProcessReport['disk']): void
  /** Deletes this process's row: what it still holds is free for others at once. */
  leave(): Promise<void>
}

interface Joining {
  db: Database
  clock: Clock
  log: Logger
  roles?: readonly string[]
  /** The newest schema that this process knows; the platform's own unless given. */
  schema?: number
  /** Between two beats; tests have less time. */
  everyMs?: number
}

/**
 * Joins the processes on a database, follows the time that they share, and beats until it leaves.
 *
 * @throws {DatabaseUnavailable}
 */
export async function joinCluster(joining: Joining): Promise<Cluster> {
  const { db } = joining
  const membership = new Membership(joining)
  // A process that has opened an embedded database is the only one: any other in the table has died.
  const others = db.engine === 'sqlite' ? [{ sql: 'DELETE FROM processes', params: [] }] : []
  await db.write([...others, insertMember(membership.self), beginSharedTime])
  await membership.beat()
  membership.start()
  return membership
}

class Membership implements Cluster {
  readonly #joining: Joining
  readonly #everyMs: number
  readonly #watch: PeerWatch
  readonly #stopping = new AbortController()
  readonly #listeners = new Set<() => void>()
  #self: Omit<Member, 'report'>
  #lastBeatMs = Number.NEGATIVE_INFINITY
  #time: TimeMeasured = { machineOffsetMs: 0, lagMs: 0, roundTripMs: 0 }
  #rejoined = 0
  #underWay: Promise<void> | null = null
  #sentMs = 0
  #running: Promise<void> = Promise.resolve()
  #isFailing = false
  #isClockOff = false
  #circuits: () => Circuits = () => ({})
  #report: ProcessReport = { rounds: {}, takenOver: 0, givenBack: 0, disk: null }

  constructor(joining: Joining) {
    this.#joining = joining
    this.#everyMs = joining.everyMs ?? BEAT_EVERY_MS[joining.db.engine]
    this.#watch = peerWatch(this.#everyMs)
    this.#self = newMember(joining)
  }

  get self(): Member {
    return { ...this.#self, clockOffsetMs: this.#time.machineOffsetMs, report: this.#report }
  }

  peers(): readonly Member[] {
    return this.#watch.living().map(toMember)
  }

  isAlive(id: string): boolean {
    return id === this.#self.id || this.#watch.living().some((peer) => peer.id === id)
  }

  isMember(): boolean {
    return performance.now() - this.#lastBeatMs < this.#everyMs * CERTAIN_FOR_BEATS
  }

  mayLead(): boolean {
    return this.isMember() && this.#time.lagMs <= CLOCK_OFF_MS && !hasWrongClock(this.self, this.peers())
  }

  async certain(): Promise<void> {
    if (this.isMember()) return
    const giveUp = new AbortController()
    const tooLate = delay(CERTAIN_WITHIN_MS, undefined, { ref: false, signal: giveUp.signal }).catch(() => {})
    await Promise.race([this.beat().catch(() => {}), tooLate])
    giveUp.abort()
    if (!this.isMember()) {
      throw new DatabaseUnavailable('The database does not confirm that this process is a member; try again.')
    }
  }

  onPeers(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  snapshot(): ClusterSnapshot {
    return {
      self: this.self,
      peers: this.peers(),
      isMember: this.isMember(),
      sinceBeatMs: Math.round(performance.now() - this.#lastBeatMs),
      unansweredMs: this.#underWay === null ? 0 : Math.round(performance.now() - this.#sentMs),
      clockOffsetMs: this.#time.machineOffsetMs,
      clockLagMs: this.#time.lagMs,
      roundTripMs: this.#time.roundTripMs,
      rejoined: this.#rejoined,
    }
  }

  tellCircuits(read: () => Circuits): void {
    this.#circuits = read
  }

  peerCircuits(): readonly Circuits[] {
    return this.#watch.living().map(({ circuits }) => circuits)
  }

  beat(): Promise<void> {
    this.#underWay ??= this.#beat().finally(() => (this.#underWay = null))
    return this.#underWay
  }

  giveBack(statements: readonly Statement[]): void {
    const { db, log } = this.#joining
    const { signal } = this.#stopping
    const { id } = this.#self
    const freed = (rows: number) => {
      this.#report = { ...this.#report, givenBack: this.#report.givenBack + rows }
      this.#tell()
    }
    void giveBack(statements, { db, log, signal, isSelf: () => this.#self.id === id, freed })
  }

  finished(round: Round): void {
    const rounds = { ...this.#report.rounds, [round]: this.#joining.clock.now() }
    this.#report = { ...this.#report, rounds }
  }

  tookOver(count: number): void {
    this.#report = { ...this.#report, takenOver: this.#report.takenOver + count }
  }

  sawDisk(disk: ProcessReport['disk']): void {
    this.#report = { ...this.#report, disk }
  }

  start(): void {
    this.#running = this.#run()
  }

  async leave(): Promise<void> {
    this.#stopping.abort()
    await this.#running
    await this.#underWay?.catch(() => {})
    const { db } = this.#joining
    // A database that is away has no use for the farewell: the others will notice.
    await db.write([{ sql: 'DELETE FROM processes WHERE id = ?', params: [this.#self.id] }]).catch(() => {})
  }

  async #beat(): Promise<void> {
    const { db, clock } = this.#joining
    const sentMs = (this.#sentMs = performance.now())
    const outcome = await db.write([beatOf(this.self, this.#circuits()), advanceSharedTime, selectProcesses])
    if (outcome.outcome === 'refused') throw new Error('A beat has no guard and cannot be refused.')
    const [own = [], shared = [], all = []] = outcome.returned
    this.#time = followSharedTime(clock, shared, sentMs)
    this.#tellOfClock()
    if (own.length === 0) return this.#joinAgain()
    this.#lastBeatMs = sentMs
    const hasChanged = this.#watch.see(readProcesses(all).filter(({ id }) => id !== this.#self.id))
    for (const dead of this.#watch.dead()) await this.#evict(dead)
    if (hasChanged) this.#tell()
  }

  async #joinAgain(): Promise<void> {
    const { db, log } = this.#joining
    const former = this.#self.id
    this.#self = newMember(this.#joining)
    this.#rejoined += 1
    await db.write([insertMember(this.self)])
    log.warn({ former, id: this.#self.id }, 'this process was taken for dead, and has joined again')
    this.#tell()
    return this.#beat()
  }

  /** Refused when the peer has beaten after all, or another process was faster. */
  async #evict({ id, name, beats }: ProcessRow): Promise<void> {
    const { db, log } = this.#joining
    const gone = { sql: 'DELETE FROM processes WHERE id = ? AND beats = ?', params: [id, beats], expect: 1 }
    const outcome = await db.write([gone])
    this.#watch.forget(id)
    if (outcome.outcome === 'committed') log.warn({ id, name }, 'a process has died: what it held is free')
    this.#tell()
  }

  #tellOfClock(): void {
    const { log } = this.#joining
    const wasOff = this.#isClockOff
    const offsetMs = this.#time.machineOffsetMs
    this.#isClockOff = Math.abs(offsetMs) > CLOCK_OFF_MS
    if (this.#isClockOff === wasOff) return
    if (wasOff) log.info({ offsetMs }, "this machine's clock agrees with the database's again")
    else log.error({ offsetMs }, "this machine's clock differs from the database's: set it right, with NTP")
  }

  #tell(): void {
    for (const listener of this.#listeners) listener()
  }

  async #run(): Promise<void> {
    const { signal } = this.#stopping
    while (!signal.aborted) {
      await delay(this.#everyMs, undefined, { ref: false, signal }).catch(() => {})
      if (!signal.aborted) await this.#tryToBeat()
    }
  }

  async #tryToBeat(): Promise<void> {
    const { log } = this.#joining
    try {
      await this.beat()
      if (this.#isFailing) log.info('the beats of this process reach the database again')
      this.#isFailing = false
    } catch (error) {
      const facts = error instanceof OperatorError ? { reason: error.message } : { err: error }
      if (!this.#isFailing) log.error(facts, 'the beat of this process failed; trying again')
      this.#isFailing = true
    }
  }
}
