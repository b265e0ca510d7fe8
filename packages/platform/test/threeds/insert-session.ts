import type { TestPlatform } from '../test-platform.ts'

/** A session with a transaction, the row of its instrument, and nothing else that a bank could look at. */
export async function insertSession(transactionId: string, { services, local }: TestPlatform): Promise<void> {
  const nowMs = services.clock.now()
  await services.db.write([
    {
      sql: `INSERT INTO payment_instruments (account_id, id, store_id, customer_id, card_id, is_active, is_default, created_at)
        VALUES (?, 'pi_1', 'store_1', 'cus_1', 'card_1', 1, 1, ?) ON CONFLICT (account_id, id) DO NOTHING`,
      params: [local.accountId, nowMs],
    },
    {
      sql: `INSERT INTO threeds_sessions (account_id, id, store_id, customer_id, payment_instrument_id, provider,
          external_session_id, status, lease_until, expires_at, created_at, updated_at)
        VALUES (?, ?, 'store_1', 'cus_1', 'pi_1', 'vendor_a', ?, 'created', 0, ?, ?, ?)`,
      params: [local.accountId, `threeds_${transactionId}`, transactionId, nowMs + 1_800_000, nowMs, nowMs],
    },
  ])
}
