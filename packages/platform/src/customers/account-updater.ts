import { emit, type Emitter } from '../events/index.ts'
import type { Write } from '../request-context.ts'

/** The instrument whose card was renewed, and whose it is. */
export interface RenewedInstrument {
  accountId: string
  storeId: string
  customerId: string
  paymentInstrumentId: string
}

/** The writes that put a renewed card's expiry date in the place of the former one: processors are sent it from now on. */
export function renewCard(
  { accountId, storeId, customerId, paymentInstrumentId }: RenewedInstrument,
  { expMonth, expYear }: { expMonth: number; expYear: number },
  emitter: Emitter,
): Write[] {
  const ofInstrument = [accountId, paymentInstrumentId]
  const properties = { paymentInstrumentId, expMonth, expYear }
  return [
    { sql: setExpiry, params: [expMonth, expYear, accountId, ...ofInstrument] },
    { sql: noteChange, params: [emitter.nowMs, ...ofInstrument] },
    ...emit('s_payment_instrument_renewed', { storeId, customerId, properties }, emitter),
  ]
}

const setExpiry = `UPDATE cards SET exp_month = ?, exp_year = ? WHERE account_id = ?
  AND id = (SELECT card_id FROM payment_instruments WHERE account_id = ? AND id = ?)`

const noteChange = `UPDATE payment_instruments SET revision = revision + 1, updated_at = ?
  WHERE account_id = ? AND id = ?`
