import type { DevState } from './dev-state.ts'
import { stepIdOf } from './binding/steps-of.ts'
import { viewports } from './scenarios/run/viewport-of.ts'
import { scenarioCards } from './scenarios/scenario-cards.ts'
import type { Scenario } from './scenarios/scenario.ts'
import { pageAddress } from './serve/page-address.ts'

/** What the toolbar in a page can offer. */
export interface ToolbarData {
  pluginId: string
  sessionId: string
  /** What the session was begun with. */
  scenario: Scenario
  scenarios: readonly Scenario[]
  presets: readonly string[]
  /** The names of the simulator's cards. */
  cards: readonly string[]
  /** Windows that have a name, in CSS pixels. */
  windows: Readonly<Record<string, { width: number; height: number }>>
  steps: readonly { id: string; name: string; address: string }[]
  /** Where 3-D Secure authentications can be read; `null` where the platform shows none. */
  timelinesUrl: string | null
}

/** What toolbars are told; `null` before there is a session. */
export function toolbarData({ served, binding, scenarios }: DevState): ToolbarData | null {
  if (served === null || binding === null) return null
  const { file, pages, configuration } = served.plugin
  const { platform, preview, scenario } = binding
  return {
    pluginId: file.pluginId,
    sessionId: preview.sessionId,
    scenario,
    scenarios,
    presets: Object.keys(configuration.presets),
    cards: Object.keys(scenarioCards),
    windows: viewports,
    steps: pages.map((page) => ({
      id: stepIdOf(page.id),
      name: page.name,
      address: pageAddress(page, scenario.params),
    })),
    timelinesUrl: platform.environment === 'local' ? `${platform.apiUrl}/acs/timeline` : null,
  }
}
