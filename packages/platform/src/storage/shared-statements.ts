// Imports nothing that runs: the thread that writes to SQLite would load it at each start.
import type { Query, Transaction } from './database.ts'

/** The shared statements of units that are committed together: each text once, with the array of all that was given to it. */
export function sharedStatements(units: readonly Transaction[]): Query[] {
  const byText = new Map<string, string[]>()
  for (const unit of units) {
    for (const { sql, params, shared } of unit) {
      if (!shared) continue
      const items = byText.get(sql) ?? []
      items.push(String(params[0]))
      byText.set(sql, items)
    }
  }
  return [...byText].map(([sql, items]) => ({ sql, params: [`[${items.join()}]`] }))
}
