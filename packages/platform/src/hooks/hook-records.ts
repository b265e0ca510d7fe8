import type { Hook, HookKind } from '@tillwright/contract'
import { openSecrets } from '../events/index.ts'
import type { RequestContext } from '../request-context.ts'
import { type Database, rawJson, type RowOf, rowReader } from '../storage/index.ts'
import { hooksTable } from './tables.ts'

/** The active hooks of a store, by what they are asked. */
export type StoreHooks = Readonly<Partial<Record<HookKind, ActiveHook>>>

/** A hook that is asked. */
export interface ActiveHook extends Omit<Hook, 'active' | 'createdAt' | 'updatedAt'> {
  updatedAtMs: number
  /**
   * The secrets that sign at a time, the newest first.
   *
   * @throws {Error} When they were sealed under another master key.
   */
  openSecrets: (box: RequestContext['services']['secrets'], nowMs: number) => string[]
}

/** The active hooks of a store. */
export async function findHooks(storeId: string, accountId: string, db: Database): Promise<StoreHooks> {
  const rows = await selectHooks(storeId, accountId, db)
  return Object.fromEntries(rows.filter(({ active }) => active).map((row) => [row.kind, toActive(row)]))
}

function toActive(row: HookRow): ActiveHook {
  const { active: _, createdAt: _1, updatedAt: _2, ...hook } = toHook(row)
  return {
    ...hook,
    updatedAtMs: row.updated_at,
    openSecrets: (box, nowMs) => openSecrets(row.id, box, { sealed: row.secrets, nowMs }),
  }
}

export async function selectHooks(storeId: string, accountId: string, db: Database): Promise<HookRow[]> {
  const sql = `${selectAll} WHERE account_id = ? AND store_id = ? ORDER BY kind`
  return readHooks(await db.read(sql, [accountId, storeId]))
}

export const selectAll = `SELECT id, store_id, kind, url, timeout_ms, on_failure, active, secrets, secrets AS sealed, created_at,
  updated_at FROM hooks`

const { account_id: _, ...ofHook } = hooksTable

const hookColumns = { ...ofHook, sealed: rawJson(hooksTable.secrets) }

export const readHooks = rowReader(hookColumns)

export type HookRow = RowOf<typeof hookColumns>

export function toHook(row: HookRow): Hook {
  return {
    id: row.id,
    storeId: row.store_id,
    kind: row.kind,
    url: row.url,
    timeoutMs: row.timeout_ms,
    onFailure: row.on_failure,
    active: row.active,
    createdAt: new Date(row.created_at).toISOString(),
    updatedAt: new Date(row.updated_at).toISOString(),
  }
}
