import { maskAccountNumber, type Recording, type SentMessage, type TranscriptEntry } from '@tillwright/emv-3ds'
import { type Database, deleteSome, pick, type RowOf, rowReader, type Statement } from '../storage/index.ts'
import { threedsMessagesTable } from './tables.ts'

/**
 * The statements that add messages to the transcript of a transaction. A database transaction that is refused for a
 * duplicate has met another that records at the same time, and is built again.
 */
export function recordMessages(
  messages: readonly SentMessage[],
  { accountId, transactionId, nowMs }: Recording,
): Statement[] {
  return messages.map(({ from, to, type, message }) => ({
    sql: `INSERT INTO threeds_messages (account_id, transaction_id, position, at, sender, receiver, type, message)
      SELECT ?, ?, COALESCE(MAX(position), 0) + 1, CAST(? AS BIGINT), ?, ?, ?, ?
      FROM threeds_messages WHERE account_id = ? AND transaction_id = ?`,
    params: [
      accountId,
      transactionId,
      nowMs,
      from,
      to,
      type,
      JSON.stringify(maskAccountNumber(message)),
      accountId,
      transactionId,
    ],
  }))
}

/** Every message of a session in its order, without card numbers; empty for one that has none, or is another account's. */
export async function transcriptOf(sessionId: string, accountId: string, db: Database): Promise<TranscriptEntry[]> {
  const rows = await db.read(
    `SELECT position, at, sender, receiver, type, message FROM threeds_messages WHERE account_id = ?
      AND transaction_id = (SELECT external_session_id FROM threeds_sessions WHERE account_id = ? AND id = ?)
      ORDER BY position`,
    [accountId, accountId, sessionId],
  )
  return readMessages(rows).map(fromRow)
}

const messageColumns = pick(threedsMessagesTable, 'position', 'at', 'sender', 'receiver', 'type', 'message')
const readMessages = rowReader(messageColumns)

function fromRow(row: RowOf<typeof messageColumns>): TranscriptEntry {
  return {
    position: row.position,
    at: new Date(row.at).toISOString(),
    from: row.sender,
    to: row.receiver,
    type: row.type,
    message: row.message,
  }
}

/**
 * Forgets messages up to a time, the oldest of a session first. They serve troubleshooting and name the buyer; the lasting
 * facts (outcome, ids, ECI) are stored in the session, which is kept as long as its payment.
 */
export function forgetTranscripts(until: number): Statement {
  return deleteSome({ table: 'threeds_messages', key: 'account_id, transaction_id, position', where: 'at <= ?' }, [
    until,
  ])
}
