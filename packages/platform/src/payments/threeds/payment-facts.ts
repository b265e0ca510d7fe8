import type { Environment, Payment, PaymentFlow } from '@tillwright/contract'
import type { Database, Row } from '../../storage/database.ts'
import { liveConfigs } from '../routing/processors.ts'
import type { AuthenticationFacts } from './emv-request.ts'
import { merchantOf } from './merchant.ts'
import type { BrowserSession } from './open-session.ts'

const NAME_MIN_CHARS = 2
const NAME_MAX_CHARS = 45

/** What a payment says of itself to the issuer, and the shop that asks. */
export interface PaymentFacts {
  facts: AuthenticationFacts
  requestor: { id: string; name: string }
  /** What a preview wants of its payment: its `threeds`, else its `testCardPreset`, or `null`. */
  preset: string | null
}

/** What is on record of the payment that waits for a session. */
export interface SessionPayment {
  /** With its store, its customer and its flow. */
  row: Row
  /** What the operator has said of each of the account's processors, by id. */
  configs: Awaited<ReturnType<typeof liveConfigs>>
}

/** Reads the payment that waits for a session. */
export async function readSessionPayment(
  { accountId, paymentId }: BrowserSession,
  db: Database,
): Promise<SessionPayment> {
  const [[row], configs] = await Promise.all([
    db.read(selectPayment, [accountId, paymentId]),
    liveConfigs(accountId, db),
  ])
  if (row === undefined) throw new Error(`The payment ${paymentId} of a session is gone.`)
  return { row, configs }
}

/**
 * The payment that waits for a session, as an issuer wants to know it.
 *
 * @param card Its brand, and the name that the buyer has typed, `null` when none.
 * @throws {ApiError} `unavailable` when the flow's processors do not say for which merchant.
 */
export function paymentFacts(
  { row, configs }: SessionPayment,
  card: { brand: string; name: string | null },
  environment: Environment,
): PaymentFacts {
  const storeName = String(row['store_name'])
  const flow: PaymentFlow | null = JSON.parse(String(row['flow'] ?? 'null'))
  return {
    facts: {
      processorConfig: merchantOf({ flow, configs, storeName, brand: card.brand }, environment),
      purchaseInfo: { amount: String(row['amount']), currency: String(row['currency']) },
      cardholderInfo: cardholder(row, card.name),
      challengePreference: isMandated(row) ? 'challenge-mandated' : 'no-preference',
      authenticationType: 'payment-transaction',
    },
    requestor: { id: String(row['account_id']), name: storeName },
    preset: presetOf(JSON.parse(String(row['preview'] ?? 'null'))),
  }
}

/** Whether a card is charged again under other circumstances, so that its holder has to be asked. */
function isMandated(row: Row): boolean {
  return JSON.parse(String(row['routing'] ?? '{}')).challengeMandated === true
}

function presetOf(preview: Payment['preview']): string | null {
  return preview?.threeds ?? preview?.testCardPreset ?? null
}

const selectPayment = `SELECT p.account_id, p.amount, p.currency, p.preview, p.routing, s.name AS store_name, f.resource AS flow,
    c.email, c.first_name, c.last_name
  FROM payments p
  JOIN stores s ON s.account_id = p.account_id AND s.id = p.store_id
  JOIN customers c ON c.account_id = p.account_id AND c.id = p.customer_id
  LEFT JOIN payment_flows f ON f.account_id = p.account_id AND f.id = p.payment_flow_id AND f.archived_at IS NULL
  WHERE p.account_id = ? AND p.id = ?`

/** What is not known, or does not fit into a message, is left out. */
function cardholder(row: Row, nameOnCard: string | null): AuthenticationFacts['cardholderInfo'] {
  const ofCustomer = `${String(row['first_name'])} ${String(row['last_name'])}`
  const name = (nameOnCard ?? ofCustomer).trim().slice(0, NAME_MAX_CHARS)
  const email = String(row['email'])
  return { ...(name.length >= NAME_MIN_CHARS && { name }), ...(email !== '' && { email }) }
}
