import type { NewDeployment } from '@tillwright/contract'
import type { Plugin } from '@tillwright/plugin-build'
import { pageAddress } from '../../serve/page-address.ts'
import type { Scenario } from '../scenario.ts'
import { pageOf } from '../run/dev-host.ts'
import { scenarioIds } from '../run/scenario-ids.ts'

/** What a deployment says of how its pages look. */
export type DemoPreviews = NonNullable<NewDeployment['demoPreviews']>

/** The previews of a plugin: one for each scenario, below its page, still without pictures. */
export function demoPreviewsOf(plugin: Pick<Plugin, 'pages'>, scenarios: readonly Scenario[]): DemoPreviews {
  const ids = scenarioIds(scenarios)
  const previews = scenarios.map((scenario, index) => {
    const page = pageOf(plugin, scenario)
    const { preset = null, params } = scenario
    const metadata = { status: 'pending', preset, capturedAt: null, error: null }
    return { page, preview: { id: ids[index] ?? '', previewUrl: pageAddress(page, params), metadata } }
  })
  const pages = plugin.pages.flatMap(({ id, path, name }) => {
    const own = previews.filter(({ page }) => page.id === id).map(({ preview }) => preview)
    return own.length === 0 ? [] : [{ path, name, previews: own }]
  })
  return { pages, metadata: { generator: 'tillwright' } }
}
