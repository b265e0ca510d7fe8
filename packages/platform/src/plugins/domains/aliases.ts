import { ALIASES_MAX, type Contract, type DeploymentAlias } from '@tillwright/contract'
import { inOpenStore, requireOpenStore, requireStore } from '../../catalog/index.ts'
import { emit } from '../../events/index.ts'
import type { RequestContext, Handler, Write } from '../../request-context.ts'
import { ApiError, inStore, missing } from '../../runtime/index.ts'
import { pick, type RowOf, rowReader } from '../../storage/index.ts'
import { aliasHost, deploymentUrl } from '../addresses.ts'
import { type Deployment, holdStanding, requireDeployment } from '../deployments/index.ts'
import { pluginAliasesTable } from '../tables.ts'
import { requireActive } from './promote.ts'

type Aliases = Contract['pluginManagement']

/** Lists the aliases of a store. */
export function listAliases(pluginsUrl: string): Handler<Aliases['aliases']> {
  return async ({ query: { storeId } }, context) => {
    await requireStore(storeId, context)
    return { body: { aliases: await aliasesOfStore(storeId, pluginsUrl, context) } }
  }
}

/** Sets an alias of a store: new, or leading elsewhere from now on. */
export function setAlias(pluginsUrl: string): Handler<Aliases['setAlias']> {
  return async ({ body: { storeId, name, deploymentId, pluginId } }, context) => {
    await requireOpenStore(storeId, context)
    const deployment =
      deploymentId === undefined
        ? await requireActive({ pluginId: pluginId ?? '', storeId }, context)
        : await requireOfStore(deploymentId, storeId, context)
    const standing = await aliasesOfStore(storeId, pluginsUrl, context)
    const former = standing.find((each) => each.name === name)
    if (former === undefined && standing.length >= ALIASES_MAX) throw tooMany(storeId)
    const follows = deploymentId === undefined ? 'active' : 'deployment'
    const host = aliasHost(name, { accountId: context.caller.accountId, storeId })
    const alias = {
      name,
      url: deploymentUrl(host, pluginsUrl),
      storeId,
      pluginId: deployment.pluginId,
      deploymentId: deployment.id,
      follows,
      createdAt: former?.createdAt ?? new Date(context.nowMs).toISOString(),
    } as const
    const type = former === undefined ? 's_plugin_alias_created' : 's_plugin_alias_updated'
    const isSame = former?.deploymentId === alias.deploymentId && former.follows === follows
    const events = isSame ? [] : aliasEvent(type, alias, context)
    const writes = [...aliasWrites({ deployment, name, host, follows }, context), ...events]
    return { body: { success: true, alias }, writes: inOpenStore(writes, { storeId }, context) }
  }
}

/** Takes an alias away. */
export function removeAlias(pluginsUrl: string): Handler<Aliases['removeAlias']> {
  return async ({ body: { storeId, name } }, context) => {
    await requireStore(storeId, context)
    const standing = await aliasesOfStore(storeId, pluginsUrl, context)
    const alias = standing.find((each) => each.name === name)
    const gone = () => missing('alias', name, inStore(storeId, 'name'))
    if (alias === undefined) throw gone()
    const write: Write = {
      sql: 'DELETE FROM plugin_aliases WHERE account_id = ? AND store_id = ? AND name = ?',
      params: [context.caller.accountId, storeId, name],
      expect: 1,
      onRefused: gone,
    }
    return { body: { success: true }, writes: [write, ...aliasEvent('s_plugin_alias_deleted', alias, context)] }
  }
}

function aliasEvent(
  type: `s_plugin_alias_${'created' | 'updated' | 'deleted'}`,
  { name, storeId, pluginId, deploymentId, follows }: DeploymentAlias,
  context: RequestContext,
): Write[] {
  return emit(type, { storeId, properties: { name, pluginId, deploymentId, follows } }, context)
}

interface AliasParts {
  deployment: Deployment
  name: string
  host: string
  follows: 'active' | 'deployment'
}

function aliasWrites({ deployment, name, host, follows }: AliasParts, context: RequestContext): Write[] {
  const { id, storeId, pluginId } = deployment
  const isFollowing = follows === 'active' ? 1 : 0
  return [
    holdStanding(deployment, context),
    {
      sql: `INSERT INTO plugin_aliases (account_id, store_id, name, host, plugin_id, deployment_id, follows, created_at)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (account_id, store_id, name) DO UPDATE
        SET plugin_id = excluded.plugin_id, deployment_id = excluded.deployment_id, follows = excluded.follows`,
      params: [context.caller.accountId, storeId, name, host, pluginId, id, isFollowing, context.nowMs],
      expect: 1,
    },
  ]
}

async function requireOfStore(deploymentId: string, storeId: string, context: RequestContext): Promise<Deployment> {
  const deployment = await requireDeployment(deploymentId, context)
  if (deployment.storeId === storeId) return deployment
  throw new ApiError('parameter_invalid', 'storeId contradicts the rest: the deployment is for another store.', {
    param: 'storeId',
  })
}

function tooMany(storeId: string): ApiError {
  return new ApiError(
    'state_conflict',
    `The store '${storeId}' has ${ALIASES_MAX} aliases, the maximum; remove one first.`,
    { param: 'name' },
  )
}

/** The aliases of a store by name, each with the deployment that it leads to now. */
export async function aliasesOfStore(
  storeId: string,
  pluginsUrl: string,
  { caller, services }: RequestContext,
): Promise<DeploymentAlias[]> {
  const rows = await services.db.read(selectAliases, [caller.accountId, storeId])
  return readAliases(rows).map((row) => toAlias(row, pluginsUrl))
}

const selectAliases = `SELECT p.name, p.host, p.store_id, p.plugin_id, p.follows, p.created_at,
    CASE WHEN p.follows = 1 THEN a.deployment_id ELSE p.deployment_id END AS deployment_id
  FROM plugin_aliases p LEFT JOIN plugin_activations a
    ON a.account_id = p.account_id AND a.store_id = p.store_id AND a.plugin_id = p.plugin_id
  WHERE p.account_id = ? AND p.store_id = ? ORDER BY p.name`

const aliasColumns = pick(
  pluginAliasesTable,
  'name',
  'host',
  'store_id',
  'plugin_id',
  'deployment_id',
  'follows',
  'created_at',
)
const readAliases = rowReader(aliasColumns)

function toAlias(row: RowOf<typeof aliasColumns>, pluginsUrl: string): DeploymentAlias {
  return {
    name: row.name,
    url: deploymentUrl(row.host, pluginsUrl),
    storeId: row.store_id,
    pluginId: row.plugin_id,
    deploymentId: row.deployment_id,
    follows: row.follows ? 'active' : 'deployment',
    createdAt: new Date(row.created_at).toISOString(),
  }
}
