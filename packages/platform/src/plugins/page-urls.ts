import type { FunnelStep, PluginManifest } from '@tillwright/contract'
import { pageForStep } from '../funnels/index.ts'
import { type Database, nullable, pick, type RowOf, rowReader } from '../storage/index.ts'
import { deploymentUrl, pageOrigin } from './addresses.ts'
import { domainRoutesTable, pluginActivationsTable, pluginDeploymentsTable } from './tables.ts'

/** Tells where steps of a store's funnels are served: by the step's id, those alone that a plugin's page shows. */
export type PageUrls = (
  steps: readonly ShownStep[],
  store: { accountId: string; storeId: string },
  db: Database,
) => Promise<ReadonlyMap<string, string>>

type ShownStep = Pick<FunnelStep, 'id' | 'type' | 'pluginId' | 'pageId'>
type Pages = PluginManifest['pages']

/** How many deployments' pages are remembered; a deployment never changes. */
const REMEMBERED = 1_000

/**
 * Where the pages of plugins are met: on the domain that a store has put the plugin on, the one that follows what is active
 * before others and then the oldest, else on the host of the deployment that is active.
 */
export function pageUrls(pluginsUrl: string): PageUrls {
  const known = new Map<string, Pages>()
  return async (steps, { accountId, storeId }, db) => {
    const pluginIds = [...new Set(steps.flatMap(({ pluginId }) => pluginId ?? []))]
    if (pluginIds.length === 0) return new Map()
    const rows = await db.read(selectServed(pluginIds.length), [accountId, storeId, ...pluginIds])
    const served = new Map(readServed(rows).map((row) => [row.plugin_id, toServed(row, pluginsUrl)]))
    await learn(
      [...served.values()].map(({ deploymentId }) => deploymentId),
      { accountId, db },
    )
    return new Map(steps.flatMap((step) => addressed(step, served.get(step.pluginId ?? ''))))
  }

  async function learn(ids: readonly string[], { accountId, db }: { accountId: string; db: Database }): Promise<void> {
    const unknown = ids.filter((id) => !known.has(id))
    if (unknown.length === 0) return
    if (known.size >= REMEMBERED) known.clear()
    const rows = await db.read(selectManifests(unknown.length), [accountId, ...unknown])
    for (const { id, manifest } of readManifests(rows)) known.set(id, manifest.pages)
  }

  function addressed(step: ShownStep, served: Served | undefined): [string, string][] {
    const path = served && pathOf(step, known.get(served.deploymentId) ?? [])
    return served === undefined || path === undefined ? [] : [[step.id, `${served.begins}${path}`]]
  }
}

/** The deployment that serves a plugin, and where. */
interface Served {
  deploymentId: string
  /** Where the plugin's pages begin, without a last slash. */
  begins: string
}

function toServed(row: RowOf<typeof servedColumns>, pluginsUrl: string): Served {
  const { hostname, path, host } = row
  const begins =
    hostname === null || path === null
      ? deploymentUrl(host, pluginsUrl)
      : `${pageOrigin(hostname, pluginsUrl)}${path === '/' ? '' : encodeURI(path)}`
  return { deploymentId: row.deployment_id, begins }
}

/** A page whose path has a parameter has no address until the parameter is filled in. */
function pathOf({ type, pageId }: ShownStep, pages: Pages): string | undefined {
  const page = pageId === null ? pageForStep(type, pages) : pages.find(({ id }) => id === pageId)
  return page === undefined || page.path.includes('/:') ? undefined : encodeURI(page.path)
}

const marks = (count: number) => Array.from({ length: count }, () => '?').join(', ')

/** One row for each plugin: what is active, and the route that a visitor is led to, if there is one. */
const selectServed = (count: number) => `SELECT a.plugin_id, r.hostname, r.path, d.host,
    CASE WHEN r.follows = 0 THEN r.deployment_id ELSE a.deployment_id END AS deployment_id
  FROM plugin_activations a
  JOIN plugin_deployments d ON d.account_id = a.account_id AND d.id = a.deployment_id
  LEFT JOIN domain_routes r ON r.account_id = a.account_id AND r.id = (SELECT o.id FROM domain_routes o
    WHERE o.account_id = a.account_id AND o.store_id = a.store_id AND o.plugin_id = a.plugin_id
    ORDER BY o.follows DESC, o.created_at, o.id LIMIT 1)
  WHERE a.account_id = ? AND a.store_id = ? AND a.plugin_id IN (${marks(count)})`
const servedColumns = {
  ...pick(pluginActivationsTable, 'plugin_id', 'deployment_id'),
  ...pick(pluginDeploymentsTable, 'host'),
  hostname: nullable(domainRoutesTable.hostname),
  path: nullable(domainRoutesTable.path),
}
const readServed = rowReader(servedColumns)

const selectManifests = (count: number) =>
  `SELECT id, manifest FROM plugin_deployments WHERE account_id = ? AND id IN (${marks(count)})`
const readManifests = rowReader(pick(pluginDeploymentsTable, 'id', 'manifest'))
