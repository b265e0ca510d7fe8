import type { Database } from '../../storage/database.ts'
import type { SettingKind, Settings, StoredSetting } from './live-settings.ts'

/** What the author of a deployment's presets and templates synchronised last. */
export async function readBases(
  { accountId, deploymentId }: { accountId: string; deploymentId: string },
  db: Database,
): Promise<StoredSetting[]> {
  const rows = await db.read(selectBases, [accountId, deploymentId])
  return rows.map((row) => ({
    kind: String(row['kind']) as SettingKind, // written from this type alone
    name: String(row['name']),
    value: JSON.parse(String(row['value'])) as Settings, // so is this
  }))
}

const selectBases = 'SELECT kind, name, value FROM plugin_setting_bases WHERE account_id = ? AND deployment_id = ?'
