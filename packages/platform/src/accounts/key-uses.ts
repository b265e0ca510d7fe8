import type { Caller, Services } from '../request-context.ts'
import { asWarnings, failuresOf } from '../runtime/index.ts'
import type { Database } from '../storage/index.ts'

/** Records when keys were last used. Uses are collected and written later, never one by one. */
export interface KeyUses {
  /** Records a use in memory. */
  note(caller: Caller, atMs: number): void
  /** Writes the collected uses, then ends the worker. */
  stop(): Promise<void>
}

/** How often uses are written, in milliseconds: one write per key used since. */
const WRITE_EVERY_MS = 60_000
/** Maximum number of concurrent writes. */
const WRITES_MAX = 256

interface Use {
  accountId: string
  atMs: number
}

/** Starts the worker that writes once a minute when each key was last used. */
export function startKeyUses({ db, clock, log }: Pick<Services, 'db' | 'clock' | 'log'>): KeyUses {
  const stopping = new AbortController()
  const message = 'when keys were last used could not be written down; trying again'
  const { onError, onOver } = failuresOf(asWarnings(log), { worker: 'key uses', message })
  let uses = new Map<string, Use>()

  async function writeDown(): Promise<void> {
    const noted = uses
    uses = new Map()
    try {
      await writeUses(noted, db)
      onOver()
    } catch (error) {
      for (const [keyId, use] of noted) if (!uses.has(keyId)) uses.set(keyId, use)
      onError(error)
    }
  }

  async function work(): Promise<void> {
    while (!stopping.signal.aborted) {
      await clock.until(clock.now() + WRITE_EVERY_MS, stopping.signal)
      await writeDown()
    }
  }

  const working = work()
  return {
    note({ accountId, keyId }, atMs) {
      const use = uses.get(keyId)
      if (use === undefined) uses.set(keyId, { accountId, atMs })
      else use.atMs = atMs
    },
    stop() {
      stopping.abort()
      return working
    },
  }
}

/** Writes each key in its own transaction, so that processes writing the same keys cannot deadlock. */
async function writeUses(uses: ReadonlyMap<string, Use>, db: Database): Promise<void> {
  const transactions = [...uses].map(([keyId, { accountId, atMs }]) => [
    { sql: updateLastUse, params: [atMs, accountId, keyId, atMs] },
  ])
  for (let written = 0; written < transactions.length; written += WRITES_MAX) {
    await Promise.all(transactions.slice(written, written + WRITES_MAX).map((transaction) => db.write(transaction)))
  }
}

/** Another process may have written a later use. */
const updateLastUse = `UPDATE api_keys SET last_used_at = ?
  WHERE account_id = ? AND id = ? AND (last_used_at IS NULL OR last_used_at < ?)`
