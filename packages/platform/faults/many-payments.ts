import type { Database } from '../src/storage/index.ts'

const BATCH = 2_000

/** An id for each of so many payments, from one on, in their order. */
export const paymentIds = (count: number, from = 0): string[] =>
  Array.from({ length: count }, (_, at) => `pay_${String(from + at).padStart(9, '0')}`)

/**
 * Adds completed payments of one account, in bulk and past every rule but those of the table.
 *
 * @param options `withNote`: as code does that knows the column which a later release adds.
 */
export async function addPayments(
  database: Database,
  ids: readonly string[],
  { withNote = false }: { withNote?: boolean } = {},
): Promise<void> {
  const id = database.engine === 'sqlite' ? 'item.value' : "(item.value #>> '{}')"
  const sql = `INSERT INTO payments (account_id, id, order_id, store_id, customer_id, payment_instrument_id, payment_flow_id,
      card_brand, card_last4, status, currency, amount, captured_amount, lease_until, created_at, updated_at
      ${withNote ? ', note' : ''})
    SELECT 'acc_1', ${id}, ${id}, 'store_1', 'cus_1', 'pi_1', 'flow_1', 'visa', '1111', 'succeeded', 'USD', 500, 500, 0, 0, 0
      ${withNote ? ", 'new'" : ''} FROM {items}`
  for (let at = 0; at < ids.length; at += BATCH) {
    const outcome = await database.write([{ sql, params: [JSON.stringify(ids.slice(at, at + BATCH))] }])
    if (outcome.outcome !== 'committed') throw new Error(`Payments were not added: ${JSON.stringify(outcome)}`)
  }
}
