import type { Problem } from '@tillwright/plugin-build'
import type { Scenario } from './scenarios/scenario.ts'

/** What a dev server tells of itself while it runs, for a terminal or for programs. */
export type DevEvent =
  | { type: 'ready'; url: string; networkUrls: string[]; movedFrom: number | null; tookMs: number }
  | { type: 'session'; sessionId: string; stepId: string; scenario: string }
  | { type: 'problems'; problems: Problem[] }
  | { type: 'applied'; what: 'settings' | 'pages' | 'scenarios' | 'environment' }
  | { type: 'changed'; files: string[] }
  /** What was last told as changed has been applied, and pages are told. */
  | { type: 'settled' }
  | { type: 'scenarios'; scenarios: readonly Scenario[] }
  | { type: 'platform'; state: 'gone' | 'back'; apiUrl: string }
  | { type: 'notice'; message: string }
