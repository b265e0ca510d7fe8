import type { DomainRoute } from '@tillwright/contract'
import { emit } from '../../events/index.ts'
import type { RequestContext, Write } from '../../request-context.ts'
import { ApiError } from '../../runtime/index.ts'
import { type Database, pick, type RowOf, rowReader } from '../../storage/index.ts'
import type { Deployment } from '../deployments/index.ts'
import { domainHostnamesTable, domainRoutesTable } from '../tables.ts'

/** A place on a domain: host name in lower-case ASCII, and path. */
export interface RouteAddress {
  hostname: string
  path: string
  /** The field of the request that named the host. */
  param: string
}

/** The account that a host name belongs to, or `null`. */
export async function ownerOf(hostname: string, db: Database): Promise<string | null> {
  const sql = 'SELECT account_id FROM domain_hostnames WHERE hostname = ?'
  const [row] = readOwners(await db.read(sql, [hostname]))
  return row?.account_id ?? null
}

const readOwners = rowReader(pick(domainHostnamesTable, 'account_id'))

/** A route as it is now, and the deployment that its row names, which guards a switch. */
export interface StandingRoute {
  route: DomainRoute
  storedDeploymentId: string
}

/** The deployment that a route serves from now on. */
export interface Served {
  deployment: Deployment
  follows: DomainRoute['follows']
}

/** The account's route at a place, or `null`. */
export async function findRoute(
  { hostname, path }: RouteAddress,
  accountId: string,
  db: Database,
): Promise<StandingRoute | null> {
  const [row] = readRoutes(await db.read(selectRoute, [accountId, hostname, path]))
  return row === undefined ? null : { route: toRoute(row), storedDeploymentId: row.stored_deployment_id }
}

/** The routes of a plugin in a store, each with the deployment that it serves now. */
export async function routesOfPlugin(
  { storeId, pluginId }: Pick<Deployment, 'storeId' | 'pluginId'>,
  { caller, services }: RequestContext,
): Promise<DomainRoute[]> {
  return readRoutes(await services.db.read(selectOfPlugin, [caller.accountId, storeId, pluginId])).map(toRoute)
}

/** The routes of a store. */
export async function routesOfStore(storeId: string, { caller, services }: RequestContext): Promise<DomainRoute[]> {
  return readRoutes(await services.db.read(selectOfStore, [caller.accountId, storeId])).map(toRoute)
}

/** The stores whose pages a host shows, at whatever paths. */
export async function storesOfHost(hostname: string, accountId: string, db: Database): Promise<string[]> {
  // Every path is one: with it the host's own index is taken, and not all routes of the account.
  const sql = `SELECT DISTINCT store_id FROM domain_routes WHERE account_id = ? AND hostname = ? AND path >= ''`
  return readStores(await db.read(sql, [accountId, hostname])).map(({ store_id }) => store_id)
}

const readStores = rowReader(pick(domainRoutesTable, 'store_id'))

/**
 * The statements that take a route away and tell of it. With its last route a host name is no longer the account's: who
 * wants it next has to prove that it is theirs. Guarded by what was read, so that the event tells of what was served last.
 */
export function removeRoute({ route, storedDeploymentId }: StandingRoute, context: RequestContext): Write[] {
  const { id: routeId, hostname, path, pluginId, deploymentId, storeId } = route
  const properties = { routeId, hostname, path, pluginId, deploymentId }
  const { accountId } = context.caller
  return [
    { sql: holdHostname, params: [accountId, hostname] },
    {
      sql: 'DELETE FROM domain_routes WHERE account_id = ? AND id = ? AND deployment_id = ? AND follows = ?',
      params: [accountId, routeId, storedDeploymentId, following(route.follows)],
      expect: 1,
    },
    { sql: releaseHostname, params: [accountId, hostname] },
    ...emit('s_domain_route_removed', { storeId, properties }, context),
  ]
}

const routeColumns = {
  ...pick(
    domainRoutesTable,
    'id',
    'store_id',
    'plugin_id',
    'deployment_id',
    'hostname',
    'path',
    'follows',
    'created_at',
  ),
  stored_deployment_id: domainRoutesTable.deployment_id,
}
const readRoutes = rowReader(routeColumns)

function toRoute(row: RowOf<typeof routeColumns>): DomainRoute {
  return {
    id: row.id,
    pluginId: row.plugin_id,
    storeId: row.store_id,
    deploymentId: row.deployment_id,
    hostname: row.hostname,
    path: row.path,
    follows: row.follows ? 'active' : 'deployment',
    createdAt: new Date(row.created_at).toISOString(),
  }
}

/** Builds a new route with its writes and event. An unclaimed host name becomes the account's. */
export function newRoute(
  { hostname, path, param }: RouteAddress,
  { deployment: { id: deploymentId, pluginId, storeId }, follows }: Served,
  context: RequestContext,
): { route: DomainRoute; writes: Write[] } {
  const { caller, nowMs } = context
  const id = context.newId('route')
  const createdAt = new Date(nowMs).toISOString()
  const properties = { routeId: id, hostname, path, pluginId, deploymentId }
  return {
    route: { id, pluginId, storeId, deploymentId, hostname, path, follows, createdAt },
    writes: [
      {
        sql: claimHostname,
        params: [caller.accountId, hostname, nowMs],
        expect: 1,
        onRefused: () => hostnameTaken(hostname, param),
      },
      {
        sql: insertRoute,
        params: [caller.accountId, id, hostname, path, storeId, pluginId, deploymentId, following(follows), nowMs],
      },
      ...emit('s_domain_route_created', { storeId, properties }, context),
    ],
  }
}

/** The same route, serving another deployment. Guarded by what was read, so that of two switches none is lost. */
export function switchRoute(
  { route, storedDeploymentId }: StandingRoute,
  { deployment: { id: deploymentId, pluginId, storeId }, follows }: Served,
  context: RequestContext,
): { route: DomainRoute; writes: Write[] } {
  const { id: routeId, hostname, path } = route
  const properties = { routeId, hostname, path, pluginId, deploymentId }
  const isSame = route.deploymentId === deploymentId && route.follows === follows && route.storeId === storeId
  return {
    route: { ...route, deploymentId, pluginId, storeId, follows },
    writes: [
      {
        sql: updateRoute,
        params: [
          context.caller.accountId,
          storeId,
          pluginId,
          deploymentId,
          following(follows),
          route.id,
          storedDeploymentId,
          following(route.follows),
        ],
        expect: 1,
      },
      ...(isSame ? [] : emit('s_domain_route_updated', { storeId, properties }, context)),
    ],
  }
}

/** A host name that another account has. Whose it is stays unsaid. */
export function hostnameTaken(hostname: string, param: string): ApiError {
  return new ApiError('resource_exists', `${hostname} belongs to another account; use a domain of your own.`, { param })
}

function following(follows: DomainRoute['follows']): number {
  return follows === 'active' ? 1 : 0
}

const selectRoutes = `SELECT p.id, p.store_id, p.plugin_id, p.hostname, p.path, p.follows, p.created_at,
    p.deployment_id AS stored_deployment_id,
    CASE WHEN p.follows = 1 THEN a.deployment_id ELSE p.deployment_id END AS deployment_id
  FROM domain_routes p LEFT JOIN plugin_activations a
    ON a.account_id = p.account_id AND a.store_id = p.store_id AND a.plugin_id = p.plugin_id
  WHERE p.account_id = ?`

const selectRoute = `${selectRoutes} AND p.hostname = ? AND p.path = ?`
const selectOfPlugin = `${selectRoutes} AND p.store_id = ? AND p.plugin_id = ? ORDER BY p.hostname, p.path`
const selectOfStore = `${selectRoutes} AND p.store_id = ? ORDER BY p.hostname, p.path`

/** Changes one row if the name is new or the account's own, none if it is another's. */
const claimHostname = `INSERT INTO domain_hostnames (account_id, hostname, created_at) VALUES (?, ?, ?)
  ON CONFLICT (hostname) DO UPDATE SET account_id = excluded.account_id
  WHERE domain_hostnames.account_id = excluded.account_id`

/** Waits for a promotion on the same host name under way, whose route counts in the statement after it. */
const holdHostname = 'UPDATE domain_hostnames SET created_at = created_at WHERE account_id = ? AND hostname = ?'

const releaseHostname = `DELETE FROM domain_hostnames WHERE account_id = ? AND hostname = ?
  AND NOT EXISTS (SELECT 1 FROM domain_routes r WHERE r.hostname = domain_hostnames.hostname)`

/** A place is taken once: a second route there at the same time loses the race, and finds the first. */
const insertRoute = `INSERT INTO domain_routes
  (account_id, id, hostname, path, store_id, plugin_id, deployment_id, follows, created_at)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`

/** The account comes first, as the order of locks wants. */
const updateRoute = `WITH owner AS (SELECT CAST(? AS TEXT) AS account_id)
  UPDATE domain_routes SET store_id = ?, plugin_id = ?, deployment_id = ?, follows = ?
  WHERE account_id = (SELECT account_id FROM owner) AND id = ? AND deployment_id = ? AND follows = ?`
