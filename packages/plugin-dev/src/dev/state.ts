import type { Plugin } from '@tillwright/plugin-build'
import type { ViteDevServer } from 'vite'
import type { Binding } from '../binding/index.ts'
import type { ModuleProblems, PageErrors, ProblemBoard } from '../problems/index.ts'
import type { ShownProblem } from '../protocol.ts'
import type { Scenario } from '../scenarios/index.ts'
import type { ServedPlugin } from './served-plugin.ts'

/** The state of a dev server. Only its start and the applied changes write to it, one at a time. */
export interface DevState {
  readonly root: string
  /** The process's own variables. */
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly board: ProblemBoard
  /** What has gone wrong in open pages. */
  readonly pageErrors: PageErrors
  readonly tell: (event: DevEvent) => void
  /** The last plugin without errors; `null` before the first. */
  served: ServedPlugin | null
  /** Where pages were before they moved, the last first. */
  formerPages: Plugin['manifest']['pages']
  /** `null` until there is a plugin, and the platform has answered. */
  binding: Binding | null
  scenarios: readonly Scenario[]
  modules: ViteDevServer
  /** Identifies what they are made with. */
  modulesKey: string | null
  /** Resolves when the modules are not being opened anew. */
  reopening: Promise<void>
  moduleProblems: ModuleProblems
  /** Counts the changes of the plugin that were sent to pages. */
  revision: number
  /** Counts the times that modules have changed. */
  updates: number
}

/** Events of a dev server, for a terminal or for programs. */
export type DevEvent =
  | { type: 'ready'; url: string; networkUrls: string[]; movedFrom: number | null; tookMs: number }
  | { type: 'session'; sessionId: string; stepId: string; scenario: string }
  | { type: 'problems'; problems: ShownProblem[] }
  | { type: 'applied'; what: 'settings' | 'pages' | 'scenarios' | 'environment' }
  | { type: 'changed'; files: string[] }
  /** The last `changed` files have been applied, and pages are updated. */
  | { type: 'settled' }
  | { type: 'scenarios'; scenarios: readonly Scenario[] }
  | { type: 'platform'; state: 'gone' | 'back'; apiUrl: string }
  | { type: 'notice'; message: string }
