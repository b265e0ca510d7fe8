import type { Contract, DomainRoute, StorePlugin } from '@tillwright/contract'
import { actorFor, type Caller, type Handler, type Handlers } from '../request-context.ts'
import { uploadAssets } from './assets/index.ts'
import { deploy } from './deploy/deploy.ts'
import {
  activate,
  bringOnline,
  listDeployments,
  listManaged,
  remove,
  restore,
  takeOffline,
  rollback,
  type Deployment,
  deploymentsById,
  managedDeployment,
} from './deployments/index.ts'
import {
  checkDomain,
  listAliases,
  listDomains,
  promote,
  removeAlias,
  removeDomain,
  setAlias,
  routesOfStore,
} from './domains/index.ts'
import type { PluginHosting } from './hosting.ts'
import {
  lateEdits,
  listRevisions,
  readSettings,
  restoreSettings,
  syncConfig,
  syncTemplates,
  updateSettings,
} from './settings/index.ts'
import { updatePreview, viewDeployment, viewPicture } from './view-deployment.ts'
import { requireStore } from '../catalog/index.ts'
import { nullable, pick, readPage, type Row, type RowOf, rowReader, text } from '../storage/index.ts'
import { pluginActivationLogTable, pluginsTable } from './tables.ts'

/** Source: reference, "POST /plugins/...". */
export function plugins(hosting: PluginHosting): Handlers<Contract['plugins']> {
  return {
    deploy: deploy(hosting),
    uploadAssets: uploadAssets(hosting.blobs),
    syncConfig: syncConfig(hosting.presets),
    syncTemplates: syncTemplates(hosting.presets),
    deployments: listDeployments(hosting.pluginsUrl),
    promoteToCustomDomain: promote(hosting),
  }
}

/** Handlers that manage existing deployments. */
export function pluginManagement(hosting: PluginHosting): Handlers<Contract['pluginManagement']> {
  const { pluginsUrl } = hosting
  return {
    plugins: listPlugins(pluginsUrl),
    list: listManaged(pluginsUrl),
    view: viewDeployment(hosting),
    activate: activate(pluginsUrl, lateEdits),
    rollback: rollback(pluginsUrl),
    remove: remove(pluginsUrl),
    restore: restore(pluginsUrl),
    takeOffline: takeOffline(pluginsUrl),
    bringOnline: bringOnline(pluginsUrl),
    updatePreview: updatePreview(pluginsUrl),
    picture: viewPicture(hosting),
    aliases: listAliases(pluginsUrl),
    setAlias: setAlias(pluginsUrl),
    removeAlias: removeAlias(pluginsUrl),
    domains: listDomains,
    checkDomain: checkDomain(hosting),
    removeDomain,
    settings: readSettings,
    revisions: listRevisions,
    updateSettings: updateSettings(hosting.presets),
    restoreSettings,
  }
}

/** Lists the plugins that were deployed to a store, with what is live of each and where. */
function listPlugins(pluginsUrl: string): Handler<Contract['pluginManagement']['plugins']> {
  return async ({ query: { storeId, pluginId, ...page } }, context) => {
    const { caller, services } = context
    await requireStore(storeId, context)
    const only = pluginId === undefined ? { sql: '', params: [] } : { sql: 'AND p.id = ?', params: [pluginId] }
    const list = {
      sql: `${selectPlugins} ${only.sql}`,
      params: [storeId, storeId, caller.accountId, storeId, ...only.params],
      key: [{ name: 'p.id', type: 'text' }],
      order: 'ascending',
      read: (rows: readonly Row[]) => readPlugins(rows),
    } as const
    const { data: rows, ...rest } = await readPage(list, page, services.db)
    const [deployments, routes] = await Promise.all([
      deploymentsById(
        [...new Set(rows.flatMap(({ newest_id, active_id }) => [newest_id, active_id ?? newest_id]))],
        context,
      ),
      routesOfStore(storeId, context),
    ])
    return {
      body: {
        data: rows.flatMap((row) => toPlugin(row, { storeId, deployments, routes, pluginsUrl, reader: caller })),
        ...rest,
      },
    }
  }
}

interface Around {
  storeId: string
  deployments: ReadonlyMap<string, Deployment>
  routes: readonly DomainRoute[]
  pluginsUrl: string
  reader: Caller
}

/** None for a plugin whose last deployment has been swept meanwhile. */
function toPlugin(
  row: RowOf<typeof columns>,
  { storeId, deployments, routes, pluginsUrl, reader }: Around,
): StorePlugin[] {
  const newest = deployments.get(row.newest_id)
  if (newest === undefined) return []
  const active = row.active_id === null ? undefined : deployments.get(row.active_id)
  return [
    {
      pluginId: row.id,
      storeId,
      name: (active ?? newest).name,
      active: active === undefined ? null : managedDeployment(active, pluginsUrl, reader),
      activatedAt: row.activated_at === null ? null : new Date(row.activated_at).toISOString(),
      activatedBy: row.activated_by && actorFor(row.activated_by, reader),
      newest: managedDeployment(newest, pluginsUrl, reader),
      routes: routes.filter(({ pluginId }) => pluginId === row.id),
    },
  ]
}

const columns = {
  ...pick(pluginsTable, 'id'),
  active_id: nullable(pluginActivationLogTable.deployment_id),
  activated_at: nullable(pluginActivationLogTable.activated_at),
  activated_by: nullable(pluginActivationLogTable.activated_by),
  newest_id: text,
}
const readPlugins = rowReader(columns)

const ofStore = `FROM plugin_deployments n
  WHERE n.account_id = p.account_id AND n.store_id = ? AND n.plugin_id = p.id AND n.swept_at IS NULL`

const selectPlugins = `SELECT p.id, a.deployment_id AS active_id, l.activated_at, l.activated_by,
    (SELECT n.id ${ofStore} ORDER BY n.created_at DESC, n.id DESC LIMIT 1) AS newest_id
  FROM plugins p
  LEFT JOIN plugin_activations a ON a.account_id = p.account_id AND a.store_id = ? AND a.plugin_id = p.id
  LEFT JOIN plugin_activation_log l ON l.account_id = a.account_id AND l.store_id = a.store_id
    AND l.plugin_id = a.plugin_id AND l.number = a.number
  WHERE p.account_id = ? AND EXISTS (SELECT 1 ${ofStore})`
