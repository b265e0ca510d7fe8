import { isDeepStrictEqual } from 'node:util'
import type { RequestContext, Write } from '../../request-context.ts'
import { pick, type RowOf, rowReader } from '../../storage/index.ts'
import { type Deployment, findActive, holdStanding } from '../deployments/index.ts'
import { pluginRevisionsTable, pluginSettingsTable } from '../tables.ts'
import { changesOf, mergeUsed, pointerOf } from './merge.ts'
import { revisionWrites } from './revisions.ts'
import { readBases, readLive, type SettingBase, settingsOf } from './settings.ts'

/**
 * The statements by which a deployment that becomes active takes over what was edited in the active one since it was made: it
 * may have waited for days. Not from another one that has become active meanwhile: what that has not may be removed there, or
 * never was. So one that was active itself goes back to the settings that it had. Guarded by what was read: an edit at the same
 * moment has it looked at again.
 */
export async function lateEdits(deployment: Deployment, context: RequestContext): Promise<Write[]> {
  if (deployment.isSwitchedSince) return []
  const { accountId } = context.caller
  const { db } = context.services
  const active = await findActive(deployment, accountId, db)
  if (active === null) return []
  const key = { accountId, deploymentId: deployment.id }
  const [begun] = readBegun(await db.read(selectBegun, [accountId, deployment.id]))
  const own = await readLive(key, db)
  const began = begun?.revision ?? 0
  const carried = await readLive({ ...key, revision: began }, db)
  const used = await readLive({ accountId, deploymentId: active.id }, db)
  const changes = readChanges(await db.read(selectChanges, [accountId, deployment.id, began]))
  const formerBases = await readBases(key, db)
  const usedBases = await readBases({ accountId, deploymentId: active.id }, db)
  const sent = { own: formerBases, used: usedBases }
  const merged = mergeUsed({ carried: settingsOf(carried), own: settingsOf(own), used: settingsOf(used), sent })
  const changed = changesOf(merged, settingsOf(own))
  const bases = usedBases.filter((base) => !isIn(formerBases, base) && !changes.some((each) => isSynced(each, base)))
  const change = { deployment, revision: own.revision + 1, changed, bases, formerBases }
  return [
    holdStanding(active, context),
    holdUsed(active, { by: deployment, revision: used.revision }, context),
    ...revisionWrites({ ...change, source: 'carried' }, context),
  ]
}

/** The revision with what a deployment took over when it was made. */
const selectBegun = `SELECT revision FROM plugin_revisions
  WHERE account_id = ? AND deployment_id = ? AND source = 'carried' ORDER BY revision DESC LIMIT 1`
const readBegun = rowReader(pick(pluginRevisionsTable, 'revision'))

/** What has changed in a deployment behind a revision, and whose change it was: the author's, where that is forgotten. */
const selectChanges = `SELECT s.kind, s.name, COALESCE(r.source, 'author') AS source FROM plugin_settings s LEFT JOIN plugin_revisions r
    ON r.account_id = s.account_id AND r.deployment_id = s.deployment_id AND r.revision = s.revision
  WHERE s.account_id = ? AND s.deployment_id = ? AND s.revision > ?`
const changeColumns = { ...pick(pluginSettingsTable, 'kind', 'name'), ...pick(pluginRevisionsTable, 'source') }
const readChanges = rowReader(changeColumns)
type Change = RowOf<typeof changeColumns>

/** Whether the author has sent the setting for the waiting deployment itself; else the next one is merged from what is in use. */
function isSynced(change: Change, base: SettingBase): boolean {
  return change.source === 'author' && pointerOf(change) === pointerOf(base)
}

function isIn(bases: readonly SettingBase[], base: SettingBase): boolean {
  return bases.some((each) => isDeepStrictEqual({ ...each }, { ...base }))
}

/** Goes back where the store has switched by then, since the one that takes over was made, or uses other settings. */
function holdUsed(
  { id, storeId, pluginId }: Deployment,
  { by, revision }: { by: Deployment; revision: number },
  { caller }: RequestContext,
): Write {
  const { accountId } = caller
  return {
    sql: `UPDATE plugin_activations SET deployment_id = deployment_id
      WHERE account_id = ? AND store_id = ? AND plugin_id = ? AND deployment_id = ? AND number = (
        SELECT d.made_after FROM plugin_deployments d WHERE d.account_id = ? AND d.id = ?) AND CAST(? AS BIGINT) = (
        SELECT COALESCE(MAX(r.revision), 0) FROM plugin_revisions r WHERE r.account_id = ? AND r.deployment_id = ?)`,
    params: [accountId, storeId, pluginId, id, accountId, by.id, revision, accountId, id],
    expect: 1,
  }
}
