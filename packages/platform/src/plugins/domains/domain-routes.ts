import type { DomainRoute } from '@tillwright/contract'
import { ApiError } from '../../ambient/api-error.ts'
import type { Call, Write } from '../../call.ts'
import { emit } from '../../events/emit.ts'
import type { Database } from '../../storage/database.ts'
import type { Deployment } from '../deployments/deployments.ts'

/** A place on a domain: host name in lower-case ASCII, and path. */
export interface Place {
  hostname: string
  path: string
  /** The field of the request that named the host. */
  param: string
}

/** The account that a host name belongs to, or `null`. */
export async function ownerOf(hostname: string, db: Database): Promise<string | null> {
  const [row] = await db.read('SELECT account_id FROM domain_hostnames WHERE hostname = ?', [hostname])
  return row === undefined ? null : String(row['account_id'])
}

/** The account's route at a place, or `null`. */
export async function findRoute(
  { hostname, path }: Place,
  accountId: string,
  db: Database,
): Promise<DomainRoute | null> {
  const [row] = await db.read(selectRoute, [accountId, hostname, path])
  if (row === undefined) return null
  return {
    id: String(row['id']),
    pluginId: String(row['plugin_id']),
    storeId: String(row['store_id']),
    deploymentId: String(row['deployment_id']),
    hostname,
    path,
    createdAt: new Date(Number(row['created_at'])).toISOString(),
  }
}

/** A new route, with what records it and tells of it. The host name becomes the account's if it is nobody's. */
export function newRoute(
  { hostname, path, param }: Place,
  { id: deploymentId, pluginId, storeId }: Deployment,
  call: Call,
): { route: DomainRoute; writes: Write[] } {
  const { caller, nowMs } = call
  const id = call.newId('route')
  const createdAt = new Date(nowMs).toISOString()
  const properties = { routeId: id, hostname, path, pluginId, deploymentId }
  return {
    route: { id, pluginId, storeId, deploymentId, hostname, path, createdAt },
    writes: [
      {
        sql: claimHostname,
        params: [caller.accountId, hostname, nowMs],
        expect: 1,
        otherwise: () => hostnameTaken(hostname, param),
      },
      {
        sql: insertRoute,
        params: [caller.accountId, id, hostname, path, storeId, pluginId, deploymentId, nowMs],
      },
      ...emit('s_domain_route_created', { storeId, properties }, call),
    ],
  }
}

/** The same route, serving another deployment. Guarded by what was read, so that of two switches none is lost. */
export function switchRoute(
  route: DomainRoute,
  { id: deploymentId, pluginId, storeId }: Deployment,
  { caller }: Call,
): { route: DomainRoute; writes: Write[] } {
  return {
    route: { ...route, deploymentId, pluginId, storeId },
    writes: [
      {
        sql: updateRoute,
        params: [caller.accountId, storeId, pluginId, deploymentId, route.id, route.deploymentId],
        expect: 1,
      },
    ],
  }
}

/** A host name that another account has. Whose it is stays unsaid. */
export function hostnameTaken(hostname: string, param: string): ApiError {
  return new ApiError('resource_exists', `${hostname} belongs to another account; use a domain of your own.`, { param })
}

const selectRoute = `SELECT id, store_id, plugin_id, deployment_id, created_at FROM domain_routes
  WHERE account_id = ? AND hostname = ? AND path = ?`

/** Changes one row if the name is new or the account's own, none if it is another's. */
const claimHostname = `INSERT INTO domain_hostnames (account_id, hostname, created_at) VALUES (?, ?, ?)
  ON CONFLICT (hostname) DO UPDATE SET account_id = excluded.account_id
  WHERE domain_hostnames.account_id = excluded.account_id`

/** A place is taken once: a second route there at the same time loses the race, and finds the first. */
const insertRoute = `INSERT INTO domain_routes
  (account_id, id, hostname, path, store_id, plugin_id, deployment_id, created_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?)`

/** The account comes first, as the order of locks wants. */
const updateRoute = `WITH owner AS (SELECT CAST(? AS TEXT) AS account_id)
  UPDATE domain_routes SET store_id = ?, plugin_id = ?, deployment_id = ?
  WHERE account_id = (SELECT account_id FROM owner) AND id = ? AND deployment_id = ?`
