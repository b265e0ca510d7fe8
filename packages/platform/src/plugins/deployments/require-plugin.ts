import { missing } from '../../ambient/api-error.ts'
import type { Call } from '../../call.ts'

/** @throws {ApiError} 404 with `param` pluginId for a plugin that the account does not have. */
export async function requirePlugin(pluginId: string, { caller, parts }: Call): Promise<void> {
  const rows = await parts.db.read('SELECT id FROM plugins WHERE account_id = ? AND id = ?', [
    caller.accountId,
    pluginId,
  ])
  if (rows.length === 0) throw missing('plugin', pluginId, 'pluginId')
}
