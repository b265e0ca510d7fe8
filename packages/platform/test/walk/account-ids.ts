import { idPrefixes } from '@tillwright/contract'
import type { LocalFile } from '../../src/local/start-local.ts'
import type { Database, Row } from '../../src/storage/database.ts'
import { tableNames } from './table-digests.ts'

const ID = new RegExp(`\\b(${Object.values(idPrefixes).join('|')})_[0-9A-Za-z]{22}\\b`, 'g')

/** Every id of ours in a text, in order. */
export function idsIn(text: string): string[] {
  return text.match(ID) ?? []
}

/** The part of an id that tells its kind; `null` for what is no id of ours. */
export function prefixOf(id: unknown): string | null {
  const prefix = /^([a-z0-9]+)_/.exec(String(id))?.[1] ?? ''
  return Object.values<string>(idPrefixes).includes(prefix) ? prefix : null
}

/** The ids of an account's objects by prefix, found in all its rows: first those that `local` names, and what is in them. */
export async function idsOfAccount(local: LocalFile, db: Database): Promise<Map<string, string[]>> {
  const rows: Row[] = []
  for (const table of await tableNames(db)) {
    const found: readonly Row[] = await db.read(`SELECT * FROM ${table}`, [])
    rows.push(...found.filter((row) => row['account_id'] === local.accountId))
  }
  const named: unknown[] = Object.values({ ...local })
  const byName = rows.toSorted((one, other) => Number(named.includes(other['id'])) - Number(named.includes(one['id'])))
  const all = [...new Set(idsIn(JSON.stringify([named, byName])))]
  return Map.groupBy(all, (id) => prefixOf(id) ?? '')
}
