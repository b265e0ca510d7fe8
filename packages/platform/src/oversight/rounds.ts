import { type PlatformQueue, platformQueues } from '@tillwright/contract'
import type { Member, Round } from '../cluster/index.ts'

/** Work of one name that several workers do: each of them has to go on. */
const roundsOf: Partial<Record<PlatformQueue, readonly Round[]>> = {
  payments: ['payments', 'awaited_payments', 'unanswered_payments', 'waiting_payments'],
}

/**
 * When a round of this work last ended in any living process, in Unix milliseconds; of several workers, that of the one
 * that is furthest behind. `null` while one of them has not finished any.
 */
export function lastRound(queue: PlatformQueue, processes: readonly Pick<Member, 'report'>[]): number | null {
  const last = (roundsOf[queue] ?? [queue]).map((round) =>
    Math.max(0, ...processes.map(({ report }) => report.rounds[round] ?? 0)),
  )
  return Math.min(...last) || null
}

/** The same of all work; the start of the oldest process while there is none. */
export function lastRounds(
  processes: readonly Pick<Member, 'report' | 'startedAtMs'>[],
): ReadonlyMap<PlatformQueue, number> {
  const begun = Math.min(...processes.map(({ startedAtMs }) => startedAtMs))
  return new Map(platformQueues.map((queue) => [queue, lastRound(queue, processes) ?? begun]))
}
