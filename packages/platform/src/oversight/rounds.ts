import { platformQueues } from '@tillwright/contract'
import type { Member, Round } from '../cluster/index.ts'

/**
 * When work was last done, in Unix milliseconds: the end of its last round in any living process, or the start of the
 * oldest one while there is none.
 */
export function lastRounds(processes: readonly Pick<Member, 'report' | 'startedAtMs'>[]): ReadonlyMap<Round, number> {
  const begun = Math.min(...processes.map(({ startedAtMs }) => startedAtMs))
  return new Map(
    platformQueues.map((round) => {
      const ends = processes.flatMap(({ report }) => report.rounds[round] ?? [])
      return [round, ends.length === 0 ? begun : Math.max(...ends)]
    }),
  )
}
