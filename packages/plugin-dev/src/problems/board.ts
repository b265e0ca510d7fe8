import type { Problem } from '@tillwright/plugin-build'

/**
 * Where problems come from: the plugin's files, its modules, its scenarios, a platform that is gone, and a change that could not
 * be applied.
 */
export type ProblemSource = 'plugin' | 'modules' | 'scenarios' | 'platform' | 'applying'

/** The current problems. */
export interface ProblemBoard {
  /** Replaces the problems of a source. */
  set: (source: ProblemSource, problems: readonly Problem[]) => void
  of: (source: ProblemSource) => readonly Problem[]
  /** All errors, in the order in which they are best fixed. */
  errors: () => Problem[]
  /** Problems that do not stop the plugin from working, in the same order. */
  warnings: () => Problem[]
}

const order: readonly ProblemSource[] = ['plugin', 'scenarios', 'modules', 'platform', 'applying']

/** @param changed Called when the errors or the warnings have changed. */
export function problemBoard(changed: () => void): ProblemBoard {
  const problems = new Map<ProblemSource, readonly Problem[]>()
  let reported = '[]'
  const all = () => order.flatMap((source) => problems.get(source) ?? [])
  return {
    errors: () => all().filter(({ severity }) => severity === 'error'),
    warnings: () => all().filter(({ severity }) => severity === 'warning'),
    of: (source) => problems.get(source) ?? [],
    set(source, found) {
      problems.set(source, found)
      const now = JSON.stringify(all())
      if (now === reported) return
      reported = now
      changed()
    },
  }
}
