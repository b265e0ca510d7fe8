import type { RequestContext, Write } from '../request-context.ts'
import { emit, type Emitter } from '../events/index.ts'
import { replaceWords } from '../lists/index.ts'
import { missing } from '../runtime/index.ts'
import { type Database, pick, rowReader, text } from '../storage/index.ts'
import { cardsTable, deleteStoredCard } from '../vault/index.ts'
import { paymentInstrumentsTable } from './tables.ts'

/** A payment instrument with the card behind it, as far as its deletion needs to know them. */
interface DeletableCard {
  accountId: string
  paymentInstrumentId: string
  storeId: string
  customerId: string
  cardId: string
  brand: string
  last4: string
}

/** The cards of a customer, or one by the id of its instrument. */
async function findDeletableCards(
  wanted: { customerId: string } | { paymentInstrumentId: string },
  accountId: string,
  db: Database,
): Promise<DeletableCard[]> {
  const [column, id] = 'customerId' in wanted ? ['customer_id', wanted.customerId] : ['id', wanted.paymentInstrumentId]
  const sql = `SELECT i.id, i.store_id, i.customer_id, i.card_id, c.brand, c.last4 FROM payment_instruments i
    JOIN cards c ON c.account_id = i.account_id AND c.id = i.card_id WHERE i.account_id = ? AND i.${column} = ?`
  return readDeletable(await db.read(sql, [accountId, id])).map((row) => ({
    accountId,
    paymentInstrumentId: row.id,
    storeId: row.store_id,
    customerId: row.customer_id,
    cardId: row.card_id,
    brand: row.brand,
    last4: row.last4,
  }))
}

const readDeletable = rowReader({
  ...pick(paymentInstrumentsTable, 'id', 'store_id', 'customer_id', 'card_id'),
  ...pick(cardsTable, 'brand', 'last4'),
})

/**
 * The statements that delete a card for good: the encrypted number and the vault's row, the instrument with its words, and
 * what is known of it at processors. Payments keep network and last four digits. No statement refuses it: what a payment
 * has sent to a processor before goes on, and one that has not is declined with `card_deleted`.
 */
function deleteCard(card: DeletableCard, emitter: Emitter): Write[] {
  const { accountId, paymentInstrumentId: id, storeId, customerId, brand, last4 } = card
  return [
    {
      sql: 'DELETE FROM payment_instruments WHERE account_id = ? AND id = ?',
      params: [accountId, id],
      expect: 1,
      onRefused: () => missing('payment instrument', id),
    },
    { sql: 'DELETE FROM processor_tokens WHERE account_id = ? AND payment_instrument_id = ?', params: [accountId, id] },
    ...deleteStoredCard(card),
    ...replaceWords({ accountId, resource: 'pi', id }, []),
    ...emit(
      's_payment_instrument_deleted',
      { storeId, customerId, properties: { paymentInstrumentId: id, brand, last4 } },
      emitter,
    ),
  ]
}

/** How many subscriptions the deletion of their card names. */
const NAMED_MAX = 100

/** Deletes the card of an instrument, and names the subscriptions that are charged to it. */
export async function deleteInstrument(paymentInstrumentId: string, context: RequestContext) {
  const { accountId } = context.caller
  const { db } = context.services
  const [card] = await findDeletableCards({ paymentInstrumentId }, accountId, db)
  if (card === undefined) throw missing('payment instrument', paymentInstrumentId)
  const { storeId, customerId, brand, last4 } = card
  const rows = readIds(await db.read(selectCharged, [accountId, customerId, paymentInstrumentId]))
  const before = { id: paymentInstrumentId, storeId, customerId, brand, last4 }
  return {
    body: { id: paymentInstrumentId, deleted: true, subscriptionIds: rows.map(({ id }) => id) } as const,
    writes: deleteCard(card, context),
    change: { before, after: { id: paymentInstrumentId } },
  }
}

const selectCharged = `SELECT id FROM subscriptions WHERE account_id = ? AND customer_id = ? AND payment_instrument_id = ?
  AND status IN ('trialing', 'active', 'past_due', 'paused') ORDER BY id LIMIT ${NAMED_MAX}`
const readIds = rowReader({ id: text })
