import { hostPathOf, type Contract, type DomainPromotion } from '@tillwright/contract'
import { ApiError, missing } from '../../ambient/api-error.ts'
import type { Call, Handler } from '../../call.ts'
import { findStore } from '../../catalog/stores.ts'
import { findActive, requireDeployment, type Deployment } from '../deployments/deployments.ts'
import { requireProof } from './domain-proof.ts'
import { findRoute, hostnameTaken, newRoute, ownerOf, switchRoute, type Place } from './domain-routes.ts'
import type { PluginHosting } from '../plugin-hosting.ts'
import { readHostname } from './read-hostname.ts'

/**
 * Puts a deployment on a domain of the account. A place that serves another deployment is switched to this one and keeps
 * its route. Outside `local` a host name that is new to the account has to be proven first.
 *
 * Source: reference, "POST /plugins/promote-to-custom-domain".
 */
export function promote(hosting: PluginHosting): Handler<Contract['plugins']['promoteToCustomDomain']> {
  return async ({ body }, call) => {
    const { parts, caller } = call
    const place = placeOf(body)
    refuseOwn(place, hosting)
    const deployment = await deploymentOf(body, call)
    const owner = await ownerOf(place.hostname, parts.db)
    if (owner !== null && owner !== caller.accountId) throw hostnameTaken(place.hostname, place.param)
    // The look-up changes nothing, so it needs no claim on the request's key beforehand.
    if (owner === null && parts.environment !== 'local') await requireProof(place.hostname, call, hosting.resolveTxt)
    const standing = await findRoute(place, caller.accountId, parts.db)
    const message = `${place.hostname}${place.path} serves version ${deployment.version} now.`
    if (standing?.deploymentId === deployment.id) return { body: { success: true, message, route: standing } }
    const { route, writes } =
      standing === null ? newRoute(place, deployment, call) : switchRoute(standing, deployment, call)
    return { body: { success: true, message, route }, writes }
  }
}

/** The schema has made sure of one of the two names, and that two paths are one. */
function placeOf({ customDomain, hostname, basePath, path }: DomainPromotion): Place {
  const param = customDomain === undefined ? 'hostname' : 'customDomain'
  const name = readHostname(customDomain ?? hostname ?? '', param)
  if (hostname !== undefined && readHostname(hostname, 'hostname') !== name) {
    throw contradiction('hostname', 'customDomain names another host')
  }
  return { hostname: name, path: hostPathOf(basePath ?? path ?? '/'), param }
}

function refuseOwn({ hostname, param }: Place, { pluginsUrl, ownHostnames }: PluginHosting): void {
  const plugins = new URL(pluginsUrl).hostname
  const own = hostname === plugins || hostname.endsWith(`.${plugins}`) || ownHostnames.includes(hostname)
  if (!own) return
  throw new ApiError('parameter_invalid', `${hostname} is a host of the platform itself; use a domain of your own.`, {
    param,
  })
}

async function deploymentOf({ deploymentId, pluginId, storeId }: DomainPromotion, call: Call): Promise<Deployment> {
  if (storeId !== undefined) await requireStore(storeId, call)
  if (pluginId !== undefined) await requirePlugin(pluginId, call)
  if (deploymentId === undefined) return activeDeployment({ pluginId: pluginId ?? '', storeId: storeId ?? '' }, call)
  const deployment = await requireDeployment(deploymentId, call)
  if (pluginId !== undefined && pluginId !== deployment.pluginId) {
    throw contradiction('pluginId', 'the deployment is of another plugin')
  }
  if (storeId !== undefined && storeId !== deployment.storeId) {
    throw contradiction('storeId', 'the deployment is for another store')
  }
  return deployment
}

async function requireStore(storeId: string, { caller, parts }: Call): Promise<void> {
  if ((await findStore(storeId, caller.accountId, parts.db)) === null) throw missing('store', storeId, 'storeId')
}

async function requirePlugin(pluginId: string, { caller, parts }: Call): Promise<void> {
  const rows = await parts.db.read('SELECT id FROM plugins WHERE account_id = ? AND id = ?', [
    caller.accountId,
    pluginId,
  ])
  if (rows.length === 0) throw missing('plugin', pluginId, 'pluginId')
}

async function activeDeployment(
  wanted: { pluginId: string; storeId: string },
  { caller, parts }: Call,
): Promise<Deployment> {
  const active = await findActive(wanted, caller.accountId, parts.db)
  if (active !== null) return active
  throw new ApiError(
    'state_conflict',
    `The store '${wanted.storeId}' has no deployment of the plugin '${wanted.pluginId}'; deploy it there first.`,
    { param: 'pluginId' },
  )
}

function contradiction(param: string, why: string): ApiError {
  return new ApiError('parameter_invalid', `${param} contradicts the rest: ${why}. Leave one of them out.`, { param })
}
