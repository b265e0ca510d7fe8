import { DatabaseUnavailable } from '../database.ts'
import type { BatchResult, BatchStatement } from './batch.ts'
import { failureOf, MissedDeadline, unavailable } from './failures.ts'
import type { Hosts } from './hosts.ts'
import type { Purpose, Session } from './session.ts'

/** A connection that is opened when first needed and reopened after it breaks. Runs one transaction at a time. */
export interface Link {
  /**
   * Runs statements as one transaction. If it fails, it is rolled back.
   *
   * @param untilMs Of `performance.now()`: when there must be an answer.
   * @throws {DatabaseUnavailable} If there is no connection, or it gave no answer in time.
   */
  run(statements: readonly BatchStatement[], untilMs: number): Promise<BatchResult>
  close(): Promise<void>
}

/** How long the answer to one batch may take; longer than the server works at one of its statements. */
const BATCH_MS = 5_500

/** @param hosts Shared by all links to the same servers. */
export function link(hosts: Hosts, purpose: Purpose): Link {
  let session: Promise<Session> | null = null
  let isClosed = false

  function connected(untilMs: number): Promise<Session> {
    if (session !== null) return session
    if (isClosed) return Promise.reject(new DatabaseUnavailable('The database is closed.'))
    const lost = () => {
      if (session === attempt) session = null
    }
    const attempt = hosts.open(purpose, { untilMs, lost })
    session = attempt
    attempt.catch(lost)
    return attempt
  }

  function leave(open: Session, isHostAtFault: boolean): void {
    session = null
    open.destroy()
    if (isHostAtFault) hosts.avoid(open.host)
  }

  async function current(untilMs: number): Promise<Session> {
    const open = await connected(untilMs)
    if (!hosts.isOutdated(open)) return open
    leave(open, true)
    return connected(untilMs)
  }

  return {
    async run(statements, untilMs) {
      if (performance.now() >= untilMs) throw new DatabaseUnavailable('PostgreSQL cannot serve: it took too long.')
      const open = await current(untilMs)
      try {
        const result = await open.run(statements, Math.min(untilMs, performance.now() + BATCH_MS))
        const isReadOnly = result.outcome === 'failed' && failureOf(result.error, false) === 'read-only'
        if (isReadOnly && purpose === 'write') leave(open, true)
        return result
      } catch (error) {
        leave(open, error instanceof MissedDeadline)
        throw unavailable(error)
      }
    },
    async close() {
      isClosed = true
      const open = await session?.catch(() => null)
      await open?.end()
    },
  }
}
