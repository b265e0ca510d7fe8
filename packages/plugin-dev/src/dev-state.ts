import type { Plugin } from '@tillwright/plugin-build'
import type { ViteDevServer } from 'vite'
import type { Binding } from './binding/bind-plugin.ts'
import type { DevEvent } from './dev-event.ts'
import type { ServedPlugin } from './plugin/followed-plugin.ts'
import type { ModuleProblems } from './problems/module-problems.ts'
import type { ProblemBoard } from './problems/problem-board.ts'
import type { Scenario } from './scenarios/scenario.ts'

/** What a dev server knows at the moment. It is changed by what starts it and by what applies changes, one at a time. */
export interface DevState {
  readonly root: string
  /** The process's own variables. */
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly board: ProblemBoard
  readonly tell: (event: DevEvent) => void
  /** The last plugin without errors; `null` before the first. */
  served: ServedPlugin | null
  /** Where pages were before they moved, the last first. */
  formerPages: Plugin['manifest']['pages']
  /** `null` until there is a plugin, and the platform has answered. */
  binding: Binding | null
  scenarios: readonly Scenario[]
  modules: ViteDevServer
  /** Resolves when the modules are not being opened anew. */
  reopening: Promise<void>
  moduleProblems: ModuleProblems
  /** Counts what pages were told of the plugin. */
  revision: number
}
