// Types only: the SQLite writer thread loads this file at start-up.
import type { Query, Transaction, Value } from './database.ts'

/** Stands for the rows of all that share a statement; see `Query`. */
export const EACH = '{each}'

/**
 * Merges the shared statements of transactions that are committed together: each SQL text once, with an array of all
 * its parameters.
 */
export function sharedStatements(transactions: readonly Transaction[]): Query[] {
  return [...bySharedText(transactions)].map(([sql, rows]) => merged(sql, rows))
}

/** The same, but statements over `{each}` stay as they are, one for each row. */
export function sharedRowByRow(transactions: readonly Transaction[]): Query[] {
  return [...bySharedText(transactions)].flatMap(([sql, rows]) =>
    sql.includes(EACH) ? rows.map((params) => ({ sql, params })) : [merged(sql, rows)],
  )
}

type Rows = (readonly Value[])[]

function bySharedText(transactions: readonly Transaction[]): Map<string, Rows> {
  const byText = new Map<string, Rows>()
  for (const transaction of transactions) {
    for (const { sql, params, shared } of transaction) {
      if (!shared) continue
      const rows = byText.get(sql)
      if (rows === undefined) byText.set(sql, [params])
      else rows.push(params)
    }
  }
  return byText
}

function merged(sql: string, rows: Rows): Query {
  const items = rows.map((row) => (sql.includes(EACH) ? JSON.stringify(row) : String(row[0])))
  return { sql, params: [`[${items.join()}]`] }
}
