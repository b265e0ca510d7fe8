import type { Call, Write } from '../call.ts'
import { sealCard } from './card-envelope.ts'
import type { CardRow } from './card-row.ts'
import type { CheckedCard } from './check-card.ts'
import { enrichmentOf } from './enrichment.ts'

/** What of a checked card is kept. */
export type StorableCard = Omit<CheckedCard, 'cvc' | 'messageId'>

/**
 * A new card: what may be known of it, and the statement that stores it.
 *
 * Its fingerprint is an HMAC of the number under a key of the vault's, so that a card is known again without decrypting
 * any, and a copy of the database does not let anybody try out numbers.
 */
export function storeCard(
  card: StorableCard,
  cardId: string,
  { parts, caller: { accountId }, nowMs }: Pick<Call, 'parts' | 'caller' | 'nowMs'>,
): { row: CardRow; write: Write } {
  const { number, brand, expMonth, expYear } = card
  const shown = { id: cardId, brand, last4: number.slice(-4), bin: number.slice(0, 6), expMonth, expYear }
  const row = { ...shown, ...enrichmentOf(number) }
  const envelope = sealCard(card, { accountId, cardId }, parts)
  const fingerprint = parts.secrets.mac('card fingerprint', number).toString('base64url')
  const secret = [fingerprint, envelope.masterKeyId, envelope.sealedKey, envelope.sealedCard]
  const known = [row.brand, row.last4, row.bin, row.expMonth, row.expYear, row.funding, row.segment]
  return { row, write: { sql: insertCard, params: [accountId, cardId, ...secret, ...known, nowMs] } }
}

const insertCard = `INSERT INTO cards
  (account_id, id, fingerprint, master_key_id, sealed_key, sealed_card,
   brand, last4, bin, exp_month, exp_year, funding, segment, created_at)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`
