import type { Clock } from '../runtime/index.ts'
import type { Database, Row, Statement } from '../storage/index.ts'
import type { Cluster } from './membership.ts'

/** The condition that no living process holds a row: its holder has died or left, or it has none. */
export function holderIsGone(column: string): string {
  return `NOT EXISTS (SELECT 1 FROM processes WHERE processes.id = ${column})`
}

/** How long a request may wait for an external service before its claim counts as abandoned, in milliseconds. */
export const CLAIM_LEASE_MS = 60_000

/** Work on rows that one process takes for itself, for as long as its lease lasts. */
export interface Claiming {
  /** Takes rows, and returns them. */
  take: (lease: Lease) => readonly Statement[]
  /** Frees what `take` has taken. */
  giveBack: (lease: Lease) => readonly Statement[]
}

/** A process's hold on rows. */
export interface Lease {
  holder: string
  /** After this time any process may take the rows, in Unix milliseconds. */
  untilMs: number
}

/** Takes rows for this process, so that each is worked on by one. */
export async function claimRows(
  { take, giveBack }: Claiming,
  { db, clock, cluster }: { db: Database; clock: Clock; cluster: Cluster },
): Promise<readonly Row[]> {
  const lease = { holder: cluster.self.id, untilMs: clock.now() + CLAIM_LEASE_MS }
  const outcome = await db.write(take(lease)).catch((error: unknown) => {
    // They may have been taken all the same.
    cluster.giveBack(giveBack(lease))
    throw error
  })
  return outcome.outcome === 'committed' ? outcome.returned.flat() : []
}
