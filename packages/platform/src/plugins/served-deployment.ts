import { isIP } from 'node:net'
import { pathBelow, type PluginMode } from '@tillwright/contract'
import { type Database, pick, type RowOf, rowReader } from '../storage/index.ts'
import { accountsTable } from '../accounts/index.ts'
import { domainHostnamesTable, domainRoutesTable, pluginDeploymentsTable } from './tables.ts'

/** The one deployment that a request is answered from, whatever is switched meanwhile. */
export interface ServedDeployment {
  accountId: string
  deploymentId: string
  storeId: string
  pluginId: string
  version: string
  mode: PluginMode
  /** Where its pages begin on the host. */
  basePath: string
  /** The path below it. */
  path: string
  /** Whether other deployments are served from here at other times. */
  moves: boolean
}

/** The result of looking up an address. `unassigned`: the host does not belong to any plugin. */
export type FoundPlace =
  | { outcome: 'place'; place: ServedDeployment }
  | { outcome: 'removed' | 'taken_down' | 'offline' | 'not_found' | 'unassigned' }

/**
 * Finds what a host name and a path lead to: a deployment by its own host, an alias, or a domain with the longest base
 * path that fits.
 *
 * @param pluginsHost The host that all deployments and aliases are under.
 */
export async function findServedDeployment(
  { hostname, path }: { hostname: string; path: string },
  { db, pluginsHost }: { db: Database; pluginsHost: string },
): Promise<FoundPlace> {
  if (hostname === pluginsHost) return { outcome: 'not_found' }
  if (!hostname.endsWith(`.${pluginsHost}`)) return onDomain(hostname, path, db)
  const label = hostname.slice(0, -pluginsHost.length - 1)
  const isAlias = label.includes('--')
  const [row] = readDeployments(await db.read(isAlias ? selectByAlias : selectByHost, [label]))
  return row === undefined ? { outcome: 'not_found' } : found(row, { basePath: '/', path, moves: isAlias })
}

/** The account whose pages a host shows, at whatever path; `null` for a host that shows none. */
export async function accountOfHost(
  hostname: string,
  { db, pluginsHost }: { db: Database; pluginsHost: string },
): Promise<string | null> {
  if (!hostname.endsWith(`.${pluginsHost}`)) {
    const [route] = readRoutes(await db.read(selectByDomain, [hostname]))
    return route === undefined || route.removed_at !== null ? null : route.account_id
  }
  const served = await findServedDeployment({ hostname, path: '/' }, { db, pluginsHost })
  return served.outcome === 'place' ? served.place.accountId : null
}

/**
 * Whether a host is for pages: any on the plugins' own, and a domain that was given one, which it may have lost while buyers
 * have the page open.
 */
export async function isHostOfPages(
  hostname: string,
  { db, pluginsHost }: { db: Database; pluginsHost: string },
): Promise<boolean> {
  return hostname.endsWith(`.${pluginsHost}`) || isPromotedDomain(hostname, db)
}

/** Whether a plugin is promoted to a domain, at whatever path. Its account has proved that the domain is its own. */
export async function isPromotedDomain(hostname: string, db: Database): Promise<boolean> {
  return (await db.read(selectByDomain, [hostname])).length > 0
}

/**
 * The account whose plugin a host is of, also where it shows nothing any more: a deployment's own host, an alias, or a domain
 * with everything on it. `null` for any other host.
 */
export async function ownerOfHost(hostname: string, db: Database): Promise<string | null> {
  const [label = ''] = hostname.split('.')
  const [row] = readOwners(await db.read(selectOwner, [label, label, hostname]))
  return row?.account_id ?? null
}

const readOwners = rowReader(pick(domainHostnamesTable, 'account_id'))
const selectOwner = `SELECT account_id FROM plugin_deployments WHERE host = ?
  UNION SELECT account_id FROM plugin_aliases WHERE host = ?
  UNION SELECT account_id FROM domain_hostnames WHERE hostname = ?`

async function onDomain(hostname: string, path: string, db: Database): Promise<FoundPlace> {
  const rows = readRoutes(await db.read(selectByDomain, [hostname]))
  if (rows.length === 0) return { outcome: 'unassigned' }
  const [best] = rows
    .flatMap((row) => {
      const basePath = row.path
      const below = pathBelow(basePath, path)
      return below === null ? [] : [{ row, basePath, below }]
    })
    .toSorted((a, b) => b.basePath.length - a.basePath.length)
  if (best === undefined) return { outcome: 'not_found' }
  return found(best.row, { basePath: best.basePath, path: best.below, moves: true })
}

function found(
  row: RowOf<typeof placeColumns>,
  where: Pick<ServedDeployment, 'basePath' | 'path' | 'moves'>,
): FoundPlace {
  if (row.pages_off_at !== null) return { outcome: 'taken_down' }
  if (row.removed_at !== null) return { outcome: 'removed' }
  if (row.offline_at !== null) return { outcome: 'offline' }
  const place: ServedDeployment = {
    accountId: row.account_id,
    deploymentId: row.id,
    storeId: row.store_id,
    pluginId: row.plugin_id,
    version: row.version,
    mode: row.mode,
    ...where,
  }
  return { outcome: 'place', place }
}

const columns =
  'd.account_id, d.id, d.store_id, d.plugin_id, d.version, d.mode, d.removed_at, d.offline_at, o.pages_off_at'
const placeColumns = {
  ...pick(pluginDeploymentsTable, 'account_id', 'id', 'store_id', 'plugin_id', 'version', 'mode'),
  ...pick(pluginDeploymentsTable, 'removed_at', 'offline_at'),
  ...pick(accountsTable, 'pages_off_at'),
}
const readDeployments = rowReader(placeColumns)
const readRoutes = rowReader({ ...placeColumns, ...pick(domainRoutesTable, 'path') })

const selectByHost = `SELECT ${columns} FROM plugin_deployments d JOIN accounts o ON o.id = d.account_id WHERE d.host = ?`

/** Of a pointer that follows, what is active; of another one, the deployment that it names. */
const joined = (pointers: string) => `FROM ${pointers} p
  LEFT JOIN plugin_activations a
    ON a.account_id = p.account_id AND a.store_id = p.store_id AND a.plugin_id = p.plugin_id
  JOIN plugin_deployments d ON d.account_id = p.account_id
    AND d.id = CASE WHEN p.follows = 1 THEN a.deployment_id ELSE p.deployment_id END
  JOIN accounts o ON o.id = p.account_id`

const selectByAlias = `SELECT ${columns} ${joined('plugin_aliases')} WHERE p.host = ?`
const selectByDomain = `SELECT ${columns}, p.path ${joined('domain_routes')} WHERE p.hostname = ?`

/** A lower-case internet host name: labels of letters, digits and hyphens, separated by dots. */
const hostname = /^(?!-)[a-z0-9-]{1,63}(?<!-)(?:\.(?!-)[a-z0-9-]{1,63}(?<!-))*$/
const HOSTNAME_MAX_CHARS = 253

/**
 * The host name of a `Host` header, in lower case, without the port and without a last dot (RFC 9110 section 7.2);
 * `null` for an address of numbers and for what is no name at all.
 */
export function readHost(header: string | undefined): string | null {
  const name = (header ?? '')
    .toLowerCase()
    .replace(/:\d{1,5}$/, '')
    .replace(/\.$/, '')
  return name.length <= HOSTNAME_MAX_CHARS && hostname.test(name) && isIP(name) === 0 ? name : null
}
