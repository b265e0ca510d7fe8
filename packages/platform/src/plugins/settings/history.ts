import { SETTINGS_HISTORY_MAX_BYTES, SETTINGS_REVISIONS_MAX } from '@tillwright/contract'
import type { Write } from '../../request-context.ts'
import { type Database, int, rowReader } from '../../storage/index.ts'
import type { StoredSetting } from './settings.ts'

/** What a setting takes besides its value: names, hash and the entries of indexes. */
const ROW_BYTES = 200

/** A change that is about to be recorded. */
interface Recording {
  accountId: string
  deploymentId: string
  revision: number
  changed: readonly StoredSetting[]
}

/**
 * The statements by which a deployment forgets what it was, as far as there is no room for it: the oldest revisions first. What it was
 * when it took over another one's settings stays, because edits made meanwhile are told by it. Come behind those that record the
 * change.
 */
export async function forgetOldest(change: Recording, db: Database): Promise<Write[]> {
  const { accountId, deploymentId, revision, changed } = change
  if (changed.length === 0) return []
  const kept = readSizes(await db.read(selectSizes, [accountId, deploymentId]))
  const first = firstKept([{ revision, bytes: bytesOf(changed), settings: changed.length }, ...kept])
  if (first <= (kept.at(-1)?.revision ?? first)) return []
  const place = [accountId, deploymentId]
  return [
    { sql: deleteRevisions, params: [...place, first] },
    { sql: deleteSettings, params: [...place, first, first] },
  ]
}

/** @param sizes The newest first. */
function firstKept(sizes: readonly { revision: number; bytes: number; settings: number }[]): number {
  let bytes = 0
  let first = sizes[0]?.revision ?? 0
  for (const each of sizes.slice(0, SETTINGS_REVISIONS_MAX)) {
    bytes += each.bytes + each.settings * ROW_BYTES
    if (bytes > SETTINGS_HISTORY_MAX_BYTES) break
    first = each.revision
  }
  return first
}

function bytesOf(changed: readonly StoredSetting[]): number {
  return changed.reduce((sum, { value }) => sum + Buffer.byteLength(JSON.stringify(value)), 0)
}

const selectSizes = `SELECT revision, CAST(sum(octet_length(value)) AS BIGINT) AS bytes, count(*) AS settings
  FROM plugin_settings WHERE account_id = ? AND deployment_id = ? GROUP BY revision ORDER BY revision DESC`
const readSizes = rowReader({ revision: int, bytes: int, settings: int })

const deleteRevisions = `DELETE FROM plugin_revisions
  WHERE account_id = ? AND deployment_id = ? AND revision < ? AND source <> 'carried'`

/** Each value that no remaining revision shows. */
const deleteSettings = `DELETE FROM plugin_settings
  WHERE account_id = ? AND deployment_id = ? AND revision < ? AND NOT EXISTS (
    SELECT 1 FROM plugin_revisions r
    WHERE r.account_id = plugin_settings.account_id AND r.deployment_id = plugin_settings.deployment_id
      AND (r.revision >= ? OR r.source = 'carried') AND r.revision >= plugin_settings.revision AND r.revision < COALESCE((
        SELECT MIN(n.revision) FROM plugin_settings n
        WHERE n.account_id = plugin_settings.account_id AND n.deployment_id = plugin_settings.deployment_id
          AND n.kind = plugin_settings.kind AND n.name = plugin_settings.name AND n.revision > plugin_settings.revision
      ), ${Number.MAX_SAFE_INTEGER}))`
