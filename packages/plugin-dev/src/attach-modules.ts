import { answerPages, type PageDeeds } from './answer-pages.ts'
import type { DevState } from './dev-state.ts'
import { moduleProblems } from './problems/module-problems.ts'
import { tellPages } from './tell-pages.ts'

/** What modules and their pages may ask for. */
export interface ModulesTies extends PageDeeds {
  /** Watches files that lie outside of the plugin, such as a package of the same workspace. */
  watch: (paths: string | readonly string[]) => void
}

/** Makes the modules of a state speak with pages, and tell what is wrong with them. */
export function attachModules(state: DevState, { watch, ...deeds }: ModulesTies): void {
  const { modules, board } = state
  board.set('modules', [])
  state.moduleProblems = moduleProblems(modules, (problems) => {
    board.set('modules', problems)
    tellPages(state, 'tillwright:modules', { areSound: problems.length === 0 })
  })
  modules.watcher.add = (paths) => {
    watch(paths)
    return modules.watcher
  }
  answerPages(state, deeds)
}
