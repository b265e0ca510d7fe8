import { type Answer } from '../../accounts/index.ts'
import { CLAIM_LEASE_MS } from '../../cluster/index.ts'
import type { RequestContext, Services, Write } from '../../request-context.ts'
import { DatabaseUnavailable, insist, type Statement } from '../../storage/index.ts'
import { commit } from './commit.ts'

/** How long a request waits at least for the database to take its outcome, however late that came. */
const COMMITTED_WITHIN_MS = 1_000

/** The result of a request's work: its answer and the writes that belong to it. */
export interface Work {
  answer: Answer
  writes: readonly Write[]
  headers?: Readonly<Record<string, string>>
  /** The writes of work that goes on after the answer was given. */
  later?: Promise<readonly Write[]>
}

/** A request's work; it may commit writes before it calls outside. */
export type DoWork = (begin: RequestContext['begin']) => Promise<Work>

/** Services for concluding work that has begun. */
export type Concluding = Pick<Services, 'db' | 'cluster' | 'log'>
type Parts = Concluding & { unfinished: Set<Promise<unknown>> }

/** Rows that a request has taken for this process before its work, or may have: the connection can break midway. */
export interface Begun {
  held: Statement[]
  /** Whether it was heard that a transaction was committed. */
  isCertain: boolean
}

/** Does work that may commit early writes. When it fails, what those have taken is given back. */
export function begin(
  begun: Begun,
  parts: Parts,
  withClaim: (early: readonly Write[]) => readonly Write[],
): (work: DoWork) => Promise<Work> {
  const commitEarly: RequestContext['begin'] = async (early) => {
    const writes = begun.isCertain ? early : withClaim(early)
    begun.held.push(...writes.flatMap(({ giveBack }) => giveBack ?? []))
    const returned = await commit(writes, parts)
    begun.isCertain = true
    return returned.slice(writes.length - early.length)
  }
  return async (work) => {
    try {
      return await work(commitEarly)
    } catch (error) {
      // A transaction that was refused has taken nothing.
      if (begun.isCertain || error instanceof DatabaseUnavailable) parts.cluster.giveBack(begun.held)
      throw error
    }
  }
}

/**
 * Commits the outcome of work that has begun: a processor has answered, and only this process knows what. While the
 * database is away it is tried again, for as long as no other process can have taken the work over: for the first
 * seconds the request waits, and is answered as if nothing had been. Writes of work that goes on follow when it has
 * ended. Work that cannot be committed is given back, for recovery to find out.
 */
export async function conclude(
  [writes, later]: readonly [readonly Write[], Promise<readonly Write[]> | undefined],
  { begun, untilMs }: { begun: Begun; untilMs: number },
  parts: Parts,
): Promise<void> {
  const { cluster, log, unfinished } = parts
  later?.catch(() => {}) // it may fail before its turn to be looked at has come
  const committed = commitOutcome(writes, parts)
  const ended: Promise<unknown> = (
    later === undefined ? committed : committed.catch(() => {}).then(async () => commitOutcome(await later, parts))
  )
    .catch((error: unknown) => {
      cluster.giveBack(begun.held)
      if (later !== undefined)
        log.error({ err: error }, 'work that went on behind its answer has failed; recovery ends it')
    })
    .finally(() => unfinished.delete(ended))
  unfinished.add(ended)
  const isCommitted = committed.then(() => true)
  if (await inTime(isCommitted, Math.max(untilMs - performance.now(), COMMITTED_WITHIN_MS))) return
  throw new DatabaseUnavailable('The database did not take the outcome of this request in time.')
}

async function commitOutcome(writes: readonly Write[], { db, cluster }: Parts): Promise<void> {
  const holder = cluster.self.id
  const begunMs = performance.now()
  await insist(
    async () => void (await commit(writes, { db })),
    () => performance.now() - begunMs < CLAIM_LEASE_MS && cluster.self.id === holder,
  )
}

/** The result of work, or `null` when it takes longer. */
export function inTime<Result>(work: Promise<Result>, withinMs: number): Promise<Result | null> {
  // A timer of its own: one that is aborted by a signal makes an error with a stack trace for each request.
  return new Promise((resolve, reject) => {
    const tooLate = setTimeout(() => resolve(null), Math.max(withinMs, 0)).unref()
    work.then(resolve, reject).finally(() => clearTimeout(tooLate))
  })
}
