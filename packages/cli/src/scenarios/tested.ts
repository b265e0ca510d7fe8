import type { ScenarioResult } from '@tillwright/plugin-dev'

/** What `tillwright test` has found. */
export interface Tested {
  scenarios: ScenarioResult[]
  /** Whether the pictures were kept for later ones. */
  updated: boolean
}
