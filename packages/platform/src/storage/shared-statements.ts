// Types only: the SQLite writer thread loads this file at start-up.
import type { Query, Transaction } from './database.ts'

/**
 * Merges the shared statements of transactions that are committed together: each SQL text once, with an array of all
 * its parameters.
 */
export function sharedStatements(transactions: readonly Transaction[]): Query[] {
  const byText = new Map<string, string[]>()
  for (const transaction of transactions) {
    for (const { sql, params, shared } of transaction) {
      if (!shared) continue
      const items = byText.get(sql) ?? []
      items.push(String(params[0]))
      byText.set(sql, items)
    }
  }
  return [...byText].map(([sql, items]) => ({ sql, params: [`[${items.join()}]`] }))
}
