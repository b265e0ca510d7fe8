import type { Call, Write } from '../../call.ts'
import { findVersion, type Deployment } from './deployments.ts'

/**
 * The statements that make an archived deployment stand for its version again, in the place of the one that does. What
 * leads to that one leads to this one from the same moment. None for a deployment that stands already.
 */
export async function standForVersion(deployment: Deployment, call: Call): Promise<Write[]> {
  if (deployment.archivedAtMs === null) return []
  const standing = await findVersion(deployment, call.caller.accountId, call.parts.db)
  return [
    ...(standing === null ? [] : [archive(standing, call)]),
    {
      sql: 'UPDATE plugin_deployments SET archived_at = NULL WHERE account_id = ? AND id = ? AND archived_at IS NOT NULL',
      params: [call.caller.accountId, deployment.id],
      expect: 1,
    },
    ...(standing === null ? [] : movePointers(standing, deployment.id, call)),
  ]
}

/** Of two that would take its place, the second loses the race and looks again. */
export function archive({ id }: Pick<Deployment, 'id'>, { caller, nowMs }: Call): Write {
  return {
    sql: 'UPDATE plugin_deployments SET archived_at = ? WHERE account_id = ? AND id = ? AND archived_at IS NULL',
    params: [nowMs, caller.accountId, id],
    expect: 1,
  }
}

/** The domains and aliases of one deployment become another one's. */
export function movePointers(former: Pick<Deployment, 'id'>, to: string, { caller }: Pick<Call, 'caller'>): Write[] {
  return ['domain_routes', 'plugin_aliases'].map((table) => ({
    sql: `UPDATE ${table} SET deployment_id = ? WHERE account_id = ? AND deployment_id = ?`,
    params: [to, caller.accountId, former.id],
  }))
}
