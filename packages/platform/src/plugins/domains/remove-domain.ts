import { type Contract, hostPathOf } from '@tillwright/contract'
import { requireStore } from '../../catalog/index.ts'
import type { Handler } from '../../request-context.ts'
import { inStore, missing } from '../../runtime/index.ts'
import { readHostname } from './promote.ts'
import { findRoute, removeRoute, routesOfStore } from './routes.ts'

type Domains = Contract['pluginManagement']

/** Lists the places on domains that show plugins of a store. */
export const listDomains: Handler<Domains['domains']> = async ({ query: { storeId } }, context) => {
  await requireStore(storeId, context)
  return { body: { routes: await routesOfStore(storeId, context) } }
}

/** Takes a plugin off a domain. With its last place the domain is the account's no more, and free for who proves it. */
export const removeDomain: Handler<Domains['removeDomain']> = async ({ body }, context) => {
  await requireStore(body.storeId, context)
  const place = { hostname: readHostname(body.hostname, 'hostname'), path: hostPathOf(body.path), param: 'hostname' }
  const standing = await findRoute(place, context.caller.accountId, context.services.db)
  if (standing === null || standing.route.storeId !== body.storeId) {
    throw missing('domain', `${place.hostname}${place.path}`, inStore(body.storeId, 'hostname'))
  }
  return {
    body: { success: true, route: standing.route },
    writes: removeRoute(standing, context),
    change: { before: standing.route },
  }
}
