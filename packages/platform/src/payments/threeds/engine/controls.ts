import type { Database, Statement } from '../../../storage/database.ts'
import { OWNER } from './find-owner.ts'
import { control, type Control } from './scenario.ts'

/** For whom something is arranged: an account's next authentication, or that of one transaction. */
export interface Controlled {
  accountId: string
  /** The 3DS server's id; '' stands for the next one of the account. */
  transactionId: string
}

/** What was arranged, and the statement that uses it up. */
export interface Arranged {
  control: Control
  taken: Statement
}

/** The statement that arranges what the next authentication shall come to; it replaces what was arranged before. */
export function arrange(next: Control, { accountId, transactionId }: Controlled): Statement {
  return {
    sql: `INSERT INTO acs_controls (account_id, transaction_id, next) VALUES (?, ?, ?)
      ON CONFLICT (account_id, transaction_id) DO UPDATE SET next = excluded.next`,
    params: [accountId, transactionId, JSON.stringify(next)],
  }
}

/** What was arranged for a transaction, by itself or as the next of its account; `null` when nothing was. */
export async function findControl(transactionId: string, db: Database): Promise<Arranged | null> {
  const [row] = await db.read(
    `SELECT account_id, transaction_id, next FROM acs_controls WHERE account_id = ${OWNER} AND transaction_id IN (?, '')
      ORDER BY transaction_id DESC LIMIT 1`,
    [transactionId, transactionId],
  )
  if (row === undefined) return null
  return {
    control: control.parse(JSON.parse(String(row['next']))),
    taken: {
      sql: 'DELETE FROM acs_controls WHERE account_id = ? AND transaction_id = ? AND next = ?',
      params: [String(row['account_id']), String(row['transaction_id']), String(row['next'])],
      expect: 1,
    },
  }
}
