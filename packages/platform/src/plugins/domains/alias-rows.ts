import type { DeploymentAlias } from '@tillwright/contract'
import type { Call } from '../../call.ts'
import type { Row } from '../../storage/database.ts'
import { deploymentUrl } from '../serve/deployment-host.ts'

/** The aliases of a store by name, each with the deployment that it leads to now. */
export async function aliasesOfStore(
  storeId: string,
  pluginsUrl: string,
  { caller, parts }: Call,
): Promise<DeploymentAlias[]> {
  const rows = await parts.db.read(selectAliases, [caller.accountId, storeId])
  return rows.map((row) => toAlias(row, pluginsUrl))
}

const selectAliases = `SELECT p.name, p.host, p.store_id, p.plugin_id, p.follows, p.created_at,
    CASE WHEN p.follows = 1 THEN a.deployment_id ELSE p.deployment_id END AS deployment_id
  FROM plugin_aliases p LEFT JOIN plugin_activations a
    ON a.account_id = p.account_id AND a.store_id = p.store_id AND a.plugin_id = p.plugin_id
  WHERE p.account_id = ? AND p.store_id = ? ORDER BY p.name`

function toAlias(row: Row, pluginsUrl: string): DeploymentAlias {
  return {
    name: String(row['name']),
    url: deploymentUrl(String(row['host']), pluginsUrl),
    storeId: String(row['store_id']),
    pluginId: String(row['plugin_id']),
    deploymentId: String(row['deployment_id']),
    follows: row['follows'] === 1 ? 'active' : 'deployment',
    createdAt: new Date(Number(row['created_at'])).toISOString(),
  }
}
