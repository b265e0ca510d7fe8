import { answerPages } from './answer-pages.ts'
import type { DevState } from './dev-state.ts'
import { moduleProblems } from './problems/module-problems.ts'

/**
 * Makes the modules of a state speak with pages, and tell what is wrong with them.
 *
 * @param watch Watches files that lie outside of the plugin, such as a package of the same workspace.
 */
export function attachModules(state: DevState, watch: (paths: string | readonly string[]) => void): void {
  const { modules, board } = state
  board.set('modules', [])
  state.moduleProblems = moduleProblems(modules, (problems) => board.set('modules', problems))
  modules.watcher.add = (paths) => {
    watch(paths)
    return modules.watcher
  }
  answerPages(state)
}
