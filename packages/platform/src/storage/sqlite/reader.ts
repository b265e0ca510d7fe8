import type { DatabaseSync } from 'node:sqlite'
import { type Connection, prepared } from './connection.ts'
import { isChangingSchema } from './schema-connection.ts'

/** Reads, and the end of what they see. */
export interface Reader {
  rows: Connection['rows']
  /** The next read sees what is committed by then. */
  renew(): void
}

/**
 * Reads of one turn of the event loop share a transaction from the second on, whichever requests they are of. To begin one
 * is dearer than most reads: locks of the log are taken, and after a commit no page that was read before counts any more.
 * Writes that have been reported as committed are seen all the same, because a report ends the transaction.
 */
export function readsOfTurn(readOnly: DatabaseSync): Reader {
  const reader = prepared(readOnly)
  let reads = 0
  let isEndComing = false
  function renew(): void {
    reads = 0
    if (readOnly.isOpen && readOnly.isTransaction) reader.change('COMMIT', [])
  }
  function end(): void {
    isEndComing = false
    renew()
  }
  return {
    renew,
    rows(sql, params) {
      if (isChangingSchema()) {
        renew()
        return reader.rows(sql, params)
      }
      // Node runs immediates after all input of a turn.
      if (!isEndComing) setImmediate(end)
      isEndComing = true
      reads += 1
      if (reads === 2) reader.change('BEGIN', [])
      return reader.rows(sql, params)
    },
  }
}
