import { ALIASES_MAX, type Contract } from '@tillwright/contract'
import { ApiError, missing } from '../../ambient/api-error.ts'
import type { Call, Handler, Write } from '../../call.ts'
import { findStore } from '../../catalog/stores.ts'
import { holdDeployment, requireDeployment, type Deployment } from '../deployments/deployments.ts'
import { deploymentUrl } from '../serve/deployment-host.ts'
import { requireActive } from './require-active.ts'
import { aliasHost } from './alias-host.ts'
import { aliasesOfStore } from './alias-rows.ts'

type Aliases = Contract['pluginManagement']

/** Lists the aliases of a store. */
export function listAliases(pluginsUrl: string): Handler<Aliases['aliases']> {
  return async ({ query: { storeId } }, call) => {
    await requireStore(storeId, call)
    return { body: { aliases: await aliasesOfStore(storeId, pluginsUrl, call) } }
  }
}

/** Sets an alias of a store: new, or leading elsewhere from now on. */
export function setAlias(pluginsUrl: string): Handler<Aliases['setAlias']> {
  return async ({ body: { storeId, name, deploymentId, pluginId } }, call) => {
    await requireStore(storeId, call)
    const deployment =
      deploymentId === undefined
        ? await requireActive({ pluginId: pluginId ?? '', storeId }, call)
        : await requireOfStore(deploymentId, storeId, call)
    const standing = await aliasesOfStore(storeId, pluginsUrl, call)
    const former = standing.find((each) => each.name === name)
    if (former === undefined && standing.length >= ALIASES_MAX) throw tooMany(storeId)
    const follows = deploymentId === undefined ? 'active' : 'deployment'
    const host = aliasHost(name, { accountId: call.caller.accountId, storeId })
    const alias = {
      name,
      url: deploymentUrl(host, pluginsUrl),
      storeId,
      pluginId: deployment.pluginId,
      deploymentId: deployment.id,
      follows,
      createdAt: former?.createdAt ?? new Date(call.nowMs).toISOString(),
    } as const
    return { body: { success: true, alias }, writes: aliasWrites({ deployment, name, host, follows }, call) }
  }
}

/** Takes an alias away. */
export const removeAlias: Handler<Aliases['removeAlias']> = async ({ body: { storeId, name } }, call) => {
  await requireStore(storeId, call)
  const write: Write = {
    sql: 'DELETE FROM plugin_aliases WHERE account_id = ? AND store_id = ? AND name = ?',
    params: [call.caller.accountId, storeId, name],
    expect: 1,
    otherwise: () => missing('alias', name, 'name'),
  }
  return { body: { success: true }, writes: [write] }
}

interface AliasParts {
  deployment: Deployment
  name: string
  host: string
  follows: 'active' | 'deployment'
}

function aliasWrites({ deployment, name, host, follows }: AliasParts, call: Call): Write[] {
  const { id, storeId, pluginId } = deployment
  const isFollowing = follows === 'active' ? 1 : 0
  return [
    holdDeployment(deployment, call),
    {
      sql: `INSERT INTO plugin_aliases (account_id, store_id, name, host, plugin_id, deployment_id, follows, created_at)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (account_id, store_id, name) DO UPDATE
        SET plugin_id = excluded.plugin_id, deployment_id = excluded.deployment_id, follows = excluded.follows`,
      params: [call.caller.accountId, storeId, name, host, pluginId, id, isFollowing, call.nowMs],
      expect: 1,
    },
  ]
}

async function requireStore(storeId: string, { caller, parts }: Call): Promise<void> {
  if ((await findStore(storeId, caller.accountId, parts.db)) === null) throw missing('store', storeId, 'storeId')
}

async function requireOfStore(deploymentId: string, storeId: string, call: Call): Promise<Deployment> {
  const deployment = await requireDeployment(deploymentId, call)
  if (deployment.storeId === storeId) return deployment
  throw new ApiError('parameter_invalid', 'storeId contradicts the rest: the deployment is for another store.', {
    param: 'storeId',
  })
}

function tooMany(storeId: string): ApiError {
  return new ApiError(
    'state_conflict',
    `The store '${storeId}' has ${ALIASES_MAX} aliases, which is all it may have; take one away first.`,
    { param: 'name' },
  )
}
