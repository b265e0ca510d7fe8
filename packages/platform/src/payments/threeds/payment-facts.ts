import type { Payment } from '@tillwright/contract'
import type { Parts } from '../../call.ts'
import type { Row } from '../../storage/database.ts'
import type { AuthenticationFacts } from './emv-request.ts'
import { merchantOf } from './merchant.ts'
import type { BrowserSession } from './open-session.ts'

const NAME_MIN_CHARS = 2
const NAME_MAX_CHARS = 45

/** What a payment says of itself to the issuer, and the shop that asks. */
export interface PaymentFacts {
  facts: AuthenticationFacts
  requestor: { id: string; name: string }
  /** The `testCardPreset` of a preview's payment, or `null`. */
  preset: string | null
}

/** The payment that waits for a session, with its store and its customer. */
export async function readSessionPayment({ accountId, paymentId }: BrowserSession, db: Parts['db']): Promise<Row> {
  const [row] = await db.read(selectPayment, [accountId, paymentId])
  if (row === undefined) throw new Error(`The payment ${paymentId} of a session is gone.`)
  return row
}

/**
 * The payment that waits for a session, as an issuer wants to know it.
 *
 * @param row What `readSessionPayment` has read.
 * @param card Its brand, and the name that the buyer has typed, `null` when none.
 * @throws {ApiError} `unavailable` when the flow's processors do not say for which merchant.
 */
export async function paymentFacts(
  row: Row,
  card: { brand: string; name: string | null },
  parts: Pick<Parts, 'db' | 'environment'>,
): Promise<PaymentFacts> {
  const accountId = String(row['account_id'])
  const storeName = String(row['store_name'])
  const paymentFlowId = String(row['payment_flow_id'])
  return {
    facts: {
      processorConfig: await merchantOf({ accountId, paymentFlowId, storeName, brand: card.brand }, parts),
      purchaseInfo: { amount: String(row['amount']), currency: String(row['currency']) },
      cardholderInfo: cardholder(row, card.name),
      challengePreference: 'no-preference',
      authenticationType: 'payment-transaction',
    },
    requestor: { id: accountId, name: storeName },
    preset: (JSON.parse(String(row['preview'] ?? 'null')) as Payment['preview'])?.testCardPreset ?? null,
  }
}

const selectPayment = `SELECT p.account_id, p.amount, p.currency, p.payment_flow_id, p.preview, s.name AS store_name, c.email, c.first_name, c.last_name
  FROM payments p
  JOIN stores s ON s.account_id = p.account_id AND s.id = p.store_id
  JOIN customers c ON c.account_id = p.account_id AND c.id = p.customer_id
  WHERE p.account_id = ? AND p.id = ?`

/** What is not known, or does not fit into a message, is left out. */
function cardholder(row: Row, nameOnCard: string | null): AuthenticationFacts['cardholderInfo'] {
  const ofCustomer = `${String(row['first_name'])} ${String(row['last_name'])}`
  const name = (nameOnCard ?? ofCustomer).trim().slice(0, NAME_MAX_CHARS)
  const email = String(row['email'])
  return { ...(name.length >= NAME_MIN_CHARS && { name }), ...(email !== '' && { email }) }
}
