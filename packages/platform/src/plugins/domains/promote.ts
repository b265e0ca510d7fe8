import { hostPathOf, type Contract, type DomainPromotion } from '@tillwright/contract'
import { ApiError, missing } from '../../ambient/api-error.ts'
import { sharesCookies, siteOf } from '../../ambient/site.ts'
import type { Call, Handler } from '../../call.ts'
import { findStore } from '../../catalog/stores.ts'
import { holdDeployment, requireDeployment, type Deployment } from '../deployments/deployments.ts'
import { requirePlugin } from '../deployments/require-plugin.ts'
import { requireProof } from './domain-proof.ts'
import { findRoute, hostnameTaken, newRoute, ownerOf, switchRoute, type Place } from './domain-routes.ts'
import type { PluginHosting } from '../plugin-hosting.ts'
import { requireActive } from './require-active.ts'
import { readHostname } from './read-hostname.ts'

/**
 * Puts a deployment on a domain of the account: this one, or whichever is active. A place that serves another one is
 * switched and keeps its route. Outside `local` a host name that is new to the account has to be proven first.
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
    const follows = body.deploymentId === undefined ? 'active' : 'deployment'
    if (standing?.route.deploymentId === deployment.id && standing.route.follows === follows) {
      return { body: { success: true, message, route: standing.route } }
    }
    const served = { deployment, follows } as const
    const { route, writes } = standing === null ? newRoute(place, served, call) : switchRoute(standing, served, call)
    return { body: { success: true, message, route }, writes: [holdDeployment(deployment, call), ...writes] }
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

/** A page on the platform's own domain could set cookies for its API, its vault or the pages of other accounts. */
function refuseOwn({ hostname, param }: Place, { pluginsUrl, ownHostnames }: PluginHosting): void {
  const isOwn =
    sharesCookies(hostname, new URL(pluginsUrl).hostname) ||
    ownHostnames.some((own) => siteOf(own) === siteOf(hostname))
  if (!isOwn) return
  throw new ApiError(
    'parameter_invalid',
    `${hostname} is on a domain of the platform itself; use a domain of your own.`,
    { param },
  )
}

async function deploymentOf({ deploymentId, pluginId, storeId }: DomainPromotion, call: Call): Promise<Deployment> {
  if (storeId !== undefined) await requireStore(storeId, call)
  if (pluginId !== undefined) await requirePlugin(pluginId, call)
  if (deploymentId === undefined) return requireActive({ pluginId: pluginId ?? '', storeId: storeId ?? '' }, call)
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

function contradiction(param: string, why: string): ApiError {
  return new ApiError('parameter_invalid', `${param} contradicts the rest: ${why}. Leave one of them out.`, { param })
}
