import { DECLINE_COUNTS_MS } from '@tillwright/contract'
import type { Database, Statement } from '../storage/database.ts'
import { SERVICE_TOKEN_TTL_S } from './service-token.ts'

/** Where a card was sent from. */
export interface CardSender {
  /** The id of the form's session. */
  session: string
  address: string
}

/** Who has sent the card, or its security code, that was used last; `null` when that is too long ago to tell anything. */
export async function findSender(
  cardId: string,
  accountId: string,
  { db, nowMs }: { db: Database; nowMs: number },
): Promise<CardSender | null> {
  const [row] = await db.read(selectSender, [accountId, cardId, expiredBefore(nowMs)])
  if (row === undefined) return null
  return { session: String(row['frame_session']), address: String(row['frame_address']) }
}

/** Forgets senders that no decline can tell of any more: an address is a person's. */
export function forgetSenders(nowMs: number): Statement {
  return {
    sql: `UPDATE card_tokens SET frame_session = NULL, frame_address = NULL
      WHERE frame_address IS NOT NULL AND expires_at <= ?`,
    params: [expiredBefore(nowMs)],
  }
}

/** Tokens are younger than `DECLINE_COUNTS_MS` when they expire after this. */
function expiredBefore(nowMs: number): number {
  return nowMs - DECLINE_COUNTS_MS + SERVICE_TOKEN_TTL_S * 1_000
}

/** A token that nobody has spent says nothing: anybody may have made it. */
const selectSender = `SELECT frame_session, frame_address FROM card_tokens
  WHERE account_id = ? AND card_id = ? AND frame_address IS NOT NULL AND used_at IS NOT NULL AND expires_at > ?
  ORDER BY used_at DESC, id LIMIT 1`
