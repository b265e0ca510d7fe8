import { type Contract, hostPathOf } from '@tillwright/contract'
import { findStore } from '../../catalog/index.ts'
import type { RequestContext, Handler } from '../../request-context.ts'
import { missing } from '../../runtime/index.ts'
import { readHostname } from './promote.ts'
import { findRoute, removeRoute, routesOfStore } from './routes.ts'

type Domains = Contract['pluginManagement']

/** Lists the places on domains that show plugins of a store. */
export const listDomains: Handler<Domains['domains']> = async ({ query: { storeId } }, call) => {
  await requireStore(storeId, call)
  return { body: { routes: await routesOfStore(storeId, call) } }
}

/** Takes a plugin off a domain. With its last place the domain is the account's no more, and free for who proves it. */
export const removeDomain: Handler<Domains['removeDomain']> = async ({ body }, call) => {
  await requireStore(body.storeId, call)
  const place = { hostname: readHostname(body.hostname, 'hostname'), path: hostPathOf(body.path), param: 'hostname' }
  const standing = await findRoute(place, call.caller.accountId, call.services.db)
  if (standing === null || standing.route.storeId !== body.storeId) {
    throw missing('domain', `${place.hostname}${place.path}`, 'hostname')
  }
  return { body: { success: true, route: standing.route }, writes: removeRoute(standing, call) }
}

async function requireStore(storeId: string, { caller, services }: RequestContext): Promise<void> {
  if ((await findStore(storeId, caller.accountId, services.db)) === null) throw missing('store', storeId, 'storeId')
}
