import type { FunnelStep } from '@tillwright/contract'
import { missing } from '../ambient/api-error.ts'
import type { Call } from '../call.ts'

/** @throws {ApiError} `resource_missing` with the path of the first step whose plugin the account does not have. */
export async function requirePlugins(
  steps: readonly Pick<FunnelStep, 'pluginId'>[],
  { caller, parts }: Call,
): Promise<void> {
  const wanted = new Set(steps.flatMap(({ pluginId }) => pluginId ?? []))
  if (wanted.size === 0) return
  const marks = Array.from(wanted, () => '?').join(', ')
  const rows = await parts.db.read(`SELECT id FROM plugins WHERE account_id = ? AND id IN (${marks})`, [
    caller.accountId,
    ...wanted,
  ])
  const known = new Set(rows.map(({ id }) => id))
  for (const [index, { pluginId }] of steps.entries()) {
    if (pluginId === null || known.has(pluginId)) continue
    throw missing('plugin', pluginId, `steps[${index}].pluginId`)
  }
}
