import type { Scenario } from '../scenario.ts'

/** A scenario whose session has begun, and whose page can be opened. */
export interface PreparedScenario {
  /** With everything that the page is to be opened with. */
  url: string
  /** The settings that the document is to be told instead of its own; `null` for its own. */
  config: Readonly<Record<string, unknown>> | null
}

/** Where the pages of scenarios come from. */
export interface ScenarioHost {
  /** Begins a session for a scenario. The next one ends it, so that one is looked at at a time. */
  prepare: (scenario: Scenario) => Promise<PreparedScenario>
  stop: () => Promise<void>
}
