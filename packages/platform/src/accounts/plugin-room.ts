import { type Account, type Plan, pluginRooms } from '@tillwright/contract'
import { type Database, int, rowReader } from '../storage/index.ts'

/** What an account keeps of its plugins, and the most that its plan allows. */
export type PluginUse = Pick<Account['limits'], 'deployments' | 'pluginFiles' | 'pluginBytes'>

/** The most that a plan allows, and one more: as many rows are counted. */
const COUNTED_MAX = 1 + Math.max(...Object.values(pluginRooms).map(({ files }) => files))

/** Counts what an account keeps of its plugins: a file once, however many deployments have it. */
export async function pluginUse(
  { accountId, plan }: { accountId: string; plan: Plan },
  db: Database,
): Promise<PluginUse> {
  const [kept] = readKept(await db.read(selectKept, [accountId, COUNTED_MAX]))
  const [standing] = readCount(await db.read(selectDeployments, [accountId, COUNTED_MAX]))
  const room = pluginRooms[plan]
  return {
    deployments: { max: room.deployments, used: standing?.deployments ?? 0 },
    pluginFiles: { max: room.files, used: kept?.files ?? 0 },
    pluginBytes: { max: room.bytes, used: kept?.bytes ?? 0 },
  }
}

/** No size is below zero and every id is greater than none, which makes both a search of an index. */
const selectKept = `SELECT count(*) AS files, CAST(COALESCE(sum(size), 0) AS BIGINT) AS bytes FROM (
    SELECT size FROM plugin_assets WHERE account_id = ? AND size >= 0 LIMIT ?) AS counted`
const readKept = rowReader({ files: int, bytes: int })

/** Counts deployments that were removed and can still be restored, which keep their files and settings as long. */
export async function removedDeployments(accountId: string, db: Database): Promise<number> {
  const [removed] = readCount(await db.read(selectRemoved, [accountId, COUNTED_MAX]))
  return removed?.deployments ?? 0
}

const selectDeployments = counted('removed_at IS NULL')
const selectRemoved = counted('removed_at IS NOT NULL')
const readCount = rowReader({ deployments: int })

/** Counts deployments that have not been swept, as far as they are removed or not. */
function counted(removed: `removed_at IS ${string}`): string {
  return `SELECT count(*) AS deployments FROM (SELECT id FROM plugin_deployments
    WHERE account_id = ? AND id > '' AND swept_at IS NULL AND ${removed} LIMIT ?) AS counted`
}
