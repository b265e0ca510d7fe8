import type { Database } from '../storage/database.ts'
import { CARD_COLUMNS, cardRow, type CardRow } from './card-row.ts'

/**
 * What may be known of a stored card; its number stays sealed.
 *
 * @throws {Error} When the account has no such card: a bug here.
 */
export async function findCard(cardId: string, accountId: string, db: Database): Promise<CardRow> {
  const [row] = await db.read(`SELECT ${CARD_COLUMNS} FROM cards WHERE account_id = ? AND id = ?`, [accountId, cardId])
  if (row === undefined) throw new Error(`Account ${accountId} has no card ${cardId}.`)
  return cardRow(row)
}
