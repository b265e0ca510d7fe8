import type { Statement, Value } from './database.ts'

/**
 * How many rows of a table are deleted at a time: PostgreSQL ends a statement after five seconds, with all that is in its
 * group, and whatever had piled up for hours would never be deleted at once.
 */
export const DELETED_MAX = 1_000

/**
 * Deletes some of the rows that meet a condition, 1,000 at most, and returns a row for each: where it returns fewer, there are
 * no more.
 *
 * @param rows `key`: the primary key's columns, with commas between them.
 */
export function deleteSome(
  { table, key, where }: { table: string; key: string; where: string },
  params: readonly Value[],
): Statement {
  const some = `SELECT ${key} FROM ${table} WHERE ${where} LIMIT ${DELETED_MAX}`
  // Asked twice: a row that somebody else has changed since it was found is looked at again by the outer condition alone.
  const sql = `DELETE FROM ${table} WHERE (${key}) IN (${some}) AND ${where} RETURNING 1 AS deleted`
  return { sql, params: [...params, ...params] }
}
