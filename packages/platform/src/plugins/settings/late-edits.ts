import { isDeepStrictEqual } from 'node:util'
import type { RequestContext, Write } from '../../request-context.ts'
import { type Database, nullable, pick, type RowOf, rowReader } from '../../storage/index.ts'
import { type Deployment, findActive, holdStanding } from '../deployments/index.ts'
import { pluginRevisionsTable, pluginSettingsTable } from '../tables.ts'
import { changesOf, mergeUsed, pointerOf } from './merge.ts'
import { revisionWrites } from './revisions.ts'
import { readBases, readLive, type SettingBase, settingsOf } from './settings.ts'

/**
 * The statements by which a deployment that becomes active takes over what was edited in the active one since it was made: it
 * may have waited for days. A version that was active before goes back to settings of its own. Guarded by what was read: an
 * edit at the same moment has it looked at again.
 */
export async function lateEdits(deployment: Deployment, context: RequestContext): Promise<Write[]> {
  const { accountId } = context.caller
  const { db } = context.services
  const active = await findActive(deployment, accountId, db)
  if (active === null || (await wasActive(deployment, accountId, db))) return []
  const key = { accountId, deploymentId: deployment.id }
  const [begun] = readBegun(await db.read(selectBegun, [accountId, deployment.id]))
  const own = await readLive(key, db)
  const began = begun?.revision ?? 0
  if (began === 0 && own.revision > 0) return [] // no other deployment was active when it was made
  const carried = await readLive({ ...key, revision: began }, db)
  const used = await readLive({ accountId, deploymentId: active.id }, db)
  const changes = readChanges(await db.read(selectChanges, [accountId, deployment.id, began]))
  const usedChanges = readChanges(await db.read(selectChanges, [accountId, active.id, 0]))
  const edited = { own: changes.filter(isEdit), used: usedChanges.filter(isEdit) }
  const merged = mergeUsed({ carried: settingsOf(carried), own: settingsOf(own), used: settingsOf(used), edited })
  const changed = changesOf(merged, settingsOf(own))
  const formerBases = await readBases(key, db)
  const usedBases = await readBases({ accountId, deploymentId: active.id }, db)
  const bases = usedBases.filter((base) => !isIn(formerBases, base) && !changes.some((each) => isSynced(each, base)))
  const change = { deployment, revision: own.revision + 1, changed, bases, formerBases }
  return [
    holdStanding(active, context),
    holdUsed(active, used.revision, context),
    ...revisionWrites({ ...change, source: 'carried' }, context),
  ]
}

/** Whether the store has used this version of the plugin, in whichever deployment. */
async function wasActive(
  { storeId, pluginId, version }: Deployment,
  accountId: string,
  db: Database,
): Promise<boolean> {
  return (await db.read(selectActivated, [accountId, storeId, pluginId, version])).length > 0
}

const selectActivated = `SELECT l.number FROM plugin_activation_log l
  JOIN plugin_deployments d ON d.account_id = l.account_id AND d.id = l.deployment_id
  WHERE l.account_id = ? AND l.store_id = ? AND l.plugin_id = ? AND d.version = ? LIMIT 1`

/** The revision with what a deployment took over when it was made. */
const selectBegun = `SELECT MAX(revision) AS revision FROM plugin_revisions
  WHERE account_id = ? AND deployment_id = ? AND source = 'carried'`
const readBegun = rowReader({ revision: nullable(pluginRevisionsTable.revision) })

/** What has changed in a deployment behind a revision, and whose change it was. */
const selectChanges = `SELECT s.kind, s.name, r.source FROM plugin_settings s JOIN plugin_revisions r
    ON r.account_id = s.account_id AND r.deployment_id = s.deployment_id AND r.revision = s.revision
  WHERE s.account_id = ? AND s.deployment_id = ? AND s.revision > ?`
const changeColumns = { ...pick(pluginSettingsTable, 'kind', 'name'), ...pick(pluginRevisionsTable, 'source') }
const readChanges = rowReader(changeColumns)
type Change = RowOf<typeof changeColumns>

/** Whether it is the merchant's. */
function isEdit({ source }: Change): boolean {
  return source === 'merchant' || source === 'restore'
}

/** Whether the author has sent the setting for the waiting deployment itself; else the next one is merged from what is in use. */
function isSynced(change: Change, base: SettingBase): boolean {
  return change.source === 'author' && pointerOf(change) === pointerOf(base)
}

function isIn(bases: readonly SettingBase[], base: SettingBase): boolean {
  return bases.some((each) => isDeepStrictEqual({ ...each }, { ...base }))
}

/** Goes back where the store uses another deployment by then, or this one with other settings. */
function holdUsed({ id, storeId, pluginId }: Deployment, revision: number, { caller }: RequestContext): Write {
  const { accountId } = caller
  return {
    sql: `UPDATE plugin_activations SET deployment_id = deployment_id
      WHERE account_id = ? AND store_id = ? AND plugin_id = ? AND deployment_id = ? AND CAST(? AS BIGINT) = (
        SELECT COALESCE(MAX(r.revision), 0) FROM plugin_revisions r WHERE r.account_id = ? AND r.deployment_id = ?)`,
    params: [accountId, storeId, pluginId, id, revision, accountId, id],
    expect: 1,
  }
}
