import { z } from 'zod'
import type { Parts } from '../call.ts'
import { openCard } from './card-envelope.ts'
import { CARD_COLUMNS, cardRow, type CardRow } from './card-row.ts'

/**
 * Decrypts a stored card for a processor that is about to be sent it. What this returns must be neither kept, logged
 * nor answered.
 *
 * @throws {Error} When the account has no such card, or it was stored under another master key: both are bugs here.
 */
export async function readCard(
  cardId: string,
  accountId: string,
  { db, secrets }: Pick<Parts, 'db' | 'secrets'>,
): Promise<CardRow & { number: string; name: string | null }> {
  const [row] = await db.read(selectCard, [accountId, cardId])
  if (row === undefined) throw new Error(`Account ${accountId} has no card ${cardId}.`)
  const card = openCard(sealedColumns.parse(row), { accountId, cardId }, { secrets })
  return { ...cardRow(row), ...card }
}

const selectCard = `SELECT ${CARD_COLUMNS}, cards.master_key_id, cards.sealed_key, cards.sealed_card
  FROM cards WHERE account_id = ? AND id = ?`

const sealedColumns = z
  .object({ master_key_id: z.string(), sealed_key: z.string(), sealed_card: z.string() })
  .transform((row) => ({ masterKeyId: row.master_key_id, sealedKey: row.sealed_key, sealedCard: row.sealed_card }))
