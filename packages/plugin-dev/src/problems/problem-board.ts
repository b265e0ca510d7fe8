import type { Problem } from '@tillwright/plugin-build'

/**
 * Where problems come from: the plugin's files, its modules, its scenarios, a platform that is gone, and a change that could not
 * be applied.
 */
export type ProblemSource = 'plugin' | 'modules' | 'scenarios' | 'platform' | 'applying'

/** What is wrong at the moment. */
export interface ProblemBoard {
  /** Replaces what a source has to say. */
  set: (source: ProblemSource, problems: readonly Problem[]) => void
  of: (source: ProblemSource) => readonly Problem[]
  /** All errors, in the order in which they are best mended. */
  errors: () => Problem[]
}

const order: readonly ProblemSource[] = ['plugin', 'scenarios', 'modules', 'platform', 'applying']

/** @param changed Is told when the errors are others than before. */
export function problemBoard(changed: (errors: readonly Problem[]) => void): ProblemBoard {
  const problems = new Map<ProblemSource, readonly Problem[]>()
  let told = '[]'
  const errors = () =>
    order.flatMap((source) => (problems.get(source) ?? []).filter(({ severity }) => severity === 'error'))
  return {
    errors,
    of: (source) => problems.get(source) ?? [],
    set(source, found) {
      problems.set(source, found)
      const now = JSON.stringify(errors())
      if (now === told) return
      told = now
      changed(errors())
    },
  }
}
