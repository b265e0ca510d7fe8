import { isIP } from 'node:net'
import { domainToASCII } from 'node:url'
import { type Contract, type DomainPromotion, hostPathOf, rolesWith } from '@tillwright/contract'
import { inOpenStore, requireOpenStore, requireStore } from '../../catalog/index.ts'
import type { RequestContext, Handler } from '../../request-context.ts'
import { ApiError, sharesCookies, siteOf } from '../../runtime/index.ts'
import { pageOrigin } from '../addresses.ts'
import { type Deployment, findActive, holdStanding, requireDeployment, requirePlugin } from '../deployments/index.ts'
import type { PluginHosting } from '../hosting.ts'
import { requireProof } from './proof.ts'
import { findRoute, hostnameTaken, newRoute, ownerOf, type RouteAddress, storesOfHost, switchRoute } from './routes.ts'

/**
 * Puts a deployment on a domain of the account: this one, or whichever is active. A place that serves another one is
 * switched and keeps its route. Outside `local` a host name that is new to the account has to be proven first.
 *
 * Source: reference, "POST /plugins/promote-to-custom-domain".
 */
export function promote(hosting: PluginHosting): Handler<Contract['plugins']['promoteToCustomDomain']> {
  return async ({ body }, context) => {
    const { services, caller } = context
    const place = placeOf(body)
    refuseOwn(place, hosting)
    const deployment = await deploymentOf(body, context)
    const store = { storeId: deployment.storeId, param: body.storeId === undefined ? 'deploymentId' : 'storeId' }
    await requireOpenStore(store.storeId, context, store.param)
    const owner = await ownerOf(place.hostname, services.db)
    if (owner !== null && owner !== caller.accountId) throw hostnameTaken(place.hostname, place.param)
    // The look-up changes nothing, so it needs no claim on the request's key beforehand.
    if (owner === null && services.environment !== 'local') await requireProof(place.hostname, context, hosting.names)
    const standing = await findRoute(place, caller.accountId, services.db)
    if (standing === null || !isOfMember(standing.route, caller)) await refuseHostOfOthers(place, context)
    const address = pageOrigin(place.hostname, hosting.pluginsUrl) + place.path
    const message = `${address} serves version ${deployment.version} now.`
    const follows = body.deploymentId === undefined ? 'active' : 'deployment'
    if (standing?.route.deploymentId === deployment.id && standing.route.follows === follows) {
      return { body: { success: true, message, route: standing.route }, created: false }
    }
    const served = { deployment, follows } as const
    const { route, writes } =
      standing === null ? newRoute(place, served, context) : switchRoute(standing, served, context)
    return {
      body: { success: true, message, route },
      ...(standing !== null && { created: false }),
      writes: inOpenStore([holdStanding(deployment, context), ...writes], store, context),
    }
  }
}

/** The schema has made sure of one of the two names, and that two paths are one. */
function placeOf({ customDomain, hostname, basePath, path }: DomainPromotion): RouteAddress {
  const param = customDomain === undefined ? 'hostname' : 'customDomain'
  const name = readHostname(customDomain ?? hostname ?? '', param)
  if (hostname !== undefined && readHostname(hostname, 'hostname') !== name) {
    throw contradiction('hostname', 'customDomain names another host')
  }
  return { hostname: name, path: hostPathOf(basePath ?? path ?? '/'), param }
}

/** Whether the caller may change what is of a store: members may be limited to some. */
function isOfMember({ storeId }: { storeId: string }, { member }: RequestContext['caller']): boolean {
  return member === undefined || member.storeIds === null || member.storeIds.includes(storeId)
}

/**
 * Keeps members of some stores from hosts that show pages of others: to a browser a host is one origin, whose pages can act
 * for each other. A place that shows pages of theirs already stays theirs.
 *
 * @throws {ApiError} `scope_missing`.
 */
async function refuseHostOfOthers(
  { hostname, param }: RouteAddress,
  { caller, services }: RequestContext,
): Promise<void> {
  const others = (await storesOfHost(hostname, caller.accountId, services.db)).filter(
    (id) => !isOfMember({ storeId: id }, caller),
  )
  if (others.length === 0) return
  throw new ApiError(
    'scope_missing',
    `${hostname} shows pages of a store that you are not limited to; use another domain, or ask a member of all stores (${rolesWith('plugins:write')} may do this).`,
    { param },
  )
}

/** A page on the platform's own domain could set cookies for its API, its vault or the pages of other accounts. */
export function refuseOwn(
  { hostname, param }: Pick<RouteAddress, 'hostname' | 'param'>,
  { pluginsUrl, ownHostnames }: PluginHosting,
): void {
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

async function deploymentOf(
  { deploymentId, pluginId, storeId }: DomainPromotion,
  context: RequestContext,
): Promise<Deployment> {
  if (storeId !== undefined) await requireStore(storeId, context)
  if (pluginId !== undefined) await requirePlugin(pluginId, context)
  if (deploymentId === undefined) return requireActive({ pluginId: pluginId ?? '', storeId: storeId ?? '' }, context)
  const deployment = await requireDeployment(deploymentId, context)
  if (pluginId !== undefined && pluginId !== deployment.pluginId) {
    throw contradiction('pluginId', 'the deployment is of another plugin')
  }
  if (storeId !== undefined && storeId !== deployment.storeId) {
    throw contradiction('storeId', 'the deployment is for another store')
  }
  return deployment
}

function contradiction(param: string, why: string): ApiError {
  return new ApiError('parameter_invalid', `${param} contradicts the rest: ${why}. Leave one of them out.`, { param })
}

/**
 * The active deployment of a plugin in a store.
 *
 * @throws {ApiError} 404 with `param` pluginId for a plugin that the account does not have; 409 when nothing is
 *   deployed.
 */
export async function requireActive(
  wanted: { pluginId: string; storeId: string },
  context: RequestContext,
): Promise<Deployment> {
  await requirePlugin(wanted.pluginId, context)
  const active = await findActive(wanted, context.caller.accountId, context.services.db)
  if (active !== null) return active
  throw new ApiError(
    'state_conflict',
    `The store '${wanted.storeId}' has no deployment of the plugin '${wanted.pluginId}'; deploy it there first.`,
    { param: 'pluginId' },
  )
}

/** RFC 1035 allows 253 characters; the name of the record that proves the ownership is longer by 12. */
const HOSTNAME_MAX_CHARS = 241

/**
 * A host name as browsers send it: lower-case ASCII by IDNA (UTS #46), without a last dot.
 *
 * @param param The field that it comes from.
 * @throws {ApiError} For a scheme, a port, a path, a wildcard, an IP address, a name of one label, or no name at all.
 */
export function readHostname(sent: string, param: string): string {
  // A URL parser would cut these characters off or decode them; none is part of a name.
  const ascii = /[/\\:@?#%\s[\]]/.test(sent) ? '' : domainToASCII(sent).replace(/\.$/, '')
  const labels = ascii.split('.')
  const fits = labels.length >= 2 && labels.every(isLabel) && ascii.length <= HOSTNAME_MAX_CHARS && isIP(ascii) === 0
  if (fits) return ascii
  throw new ApiError(
    'parameter_invalid',
    `${param} must be a host name such as "shop.example.com": without scheme, port or path, and no IP address.`,
    { param },
  )
}

function isLabel(label: string): boolean {
  return /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/.test(label)
}
