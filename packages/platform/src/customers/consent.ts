import type { Payment, PaymentInstrument } from '@tillwright/contract'
import type { Write } from '../request-context.ts'
import type { Consent } from './tables.ts'

/** A buyer's consent as the instrument shows it; `null` where there is none. */
export function shownConsent(consent: Consent | null): PaymentInstrument['consent'] {
  if (consent === null) return null
  const { agreedMs, ...shown } = consent
  return { ...shown, agreedAt: new Date(agreedMs).toISOString() }
}

/**
 * The statement that keeps what the buyer of a payment agreed to, with the network's id of it: the latest agreement to
 * charges in their absence, or else the first one to pay with the card again. One without an id takes the place of no
 * other to the same. Of a card that was deactivated or erased meanwhile nothing is kept.
 */
export function recordConsent(
  { id: paymentId, accountId, paymentInstrumentId }: Pick<Payment, 'id' | 'accountId' | 'paymentInstrumentId'>,
  { usage, networkTransactionId, agreedMs }: Omit<Consent, 'paymentId'>,
): Write {
  const consent: Consent = { usage, paymentId, networkTransactionId, agreedMs }
  return {
    sql: usage === 'on_session' ? firstConsent : networkTransactionId === null ? widerConsent : replaceConsent,
    params: [JSON.stringify(consent), accountId, paymentInstrumentId],
  }
}

const replaceConsent = 'UPDATE payment_instruments SET consent = ? WHERE account_id = ? AND id = ? AND is_active = 1'
const firstConsent = `${replaceConsent} AND consent IS NULL`
// As `JSON.stringify` writes it above.
const widerConsent = `${replaceConsent} AND (consent IS NULL OR consent LIKE '{"usage":"on_session"%')`
