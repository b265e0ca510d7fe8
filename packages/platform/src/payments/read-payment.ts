import type { Payment, PaymentAttempt, PaymentRouting } from '@tillwright/contract'
import type { Database, Row } from '../storage/database.ts'
import { readDisputes } from './disputes/dispute-records.ts'
import { readFollowUps } from './follow-ups/follow-up-records.ts'

/** A payment of the account with its attempts and all that followed them, or `null`. */
export async function readPayment(paymentId: string, accountId: string, db: Database): Promise<Payment | null> {
  const place = [accountId, paymentId]
  const [[row], attempts, followUps, disputes] = await Promise.all([
    db.read('SELECT * FROM payments WHERE account_id = ? AND id = ?', place),
    db.read('SELECT * FROM payment_attempts WHERE account_id = ? AND payment_id = ? ORDER BY ordinal', place),
    readFollowUps(paymentId, accountId, db),
    readDisputes(paymentId, accountId, db),
  ])
  return row === undefined ? null : toPayment(row, { attempts: attempts.map(toAttempt), ...followUps, disputes })
}

type Followed = Pick<Payment, 'attempts' | 'captures' | 'refunds' | 'disputes'>

function toPayment(row: Row, followed: Followed): Payment {
  return {
    id: String(row['id']),
    accountId: String(row['account_id']),
    storeId: String(row['store_id']),
    orderId: String(row['order_id']),
    customerId: String(row['customer_id']),
    paymentInstrumentId: String(row['payment_instrument_id']),
    paymentFlowId: String(row['payment_flow_id']),
    status: String(row['status']) as Payment['status'], // written from this union alone
    requireAction: row['status'] === 'requires_action' ? 'threeds_auth' : 'none',
    nextAction: null,
    threedsSessionId: row['threeds_session_id'] == null ? null : String(row['threeds_session_id']),
    amount: Number(row['amount']),
    currency: String(row['currency']),
    declineCode: row['decline_code'] === null ? null : String(row['decline_code']),
    captureMethod: String(row['capture_method']) as Payment['captureMethod'], // likewise
    statementDescriptor: row['statement_descriptor'] == null ? null : String(row['statement_descriptor']),
    capturedAmount: Number(row['captured_amount']),
    refundedAmount: Number(row['refunded_amount']),
    ...followed,
    funnelSessionId: row['funnel_session_id'] == null ? null : String(row['funnel_session_id']),
    preview: JSON.parse(String(row['preview'] ?? 'null')),
    routing: readRouting(row['routing']),
    subscriptions: readSubscriptions(row['subscriptions']),
    createdAt: new Date(Number(row['created_at'])).toISOString(),
    updatedAt: new Date(Number(row['updated_at'])).toISOString(),
  }
}

/** Payments from before there was more than one processor to ask have none. */
function readRouting(stored: unknown): PaymentRouting {
  const none: PaymentRouting = { overLimits: [], challengeMandated: false, abuseAction: 'none', stopped: null }
  return typeof stored === 'string' ? { ...none, ...JSON.parse(stored) } : none
}

/** Payments from before there were subscriptions have none. */
function readSubscriptions(stored: unknown): Payment['subscriptions'] {
  return typeof stored === 'string' ? JSON.parse(stored) : []
}

function toAttempt(row: Row): PaymentAttempt {
  return {
    id: String(row['id']),
    processorId: String(row['processor_id']),
    status: String(row['status']) as PaymentAttempt['status'], // written from this union alone
    declineCode: row['decline_code'] === null ? null : String(row['decline_code']),
    outcome: row['outcome'] as PaymentAttempt['outcome'], // likewise
    advice: row['advice'] === null ? null : String(row['advice']),
    finishedAt: row['finished_at'] === null ? null : new Date(Number(row['finished_at'])).toISOString(),
    // One from before there were several pools says nothing of them.
    decision: { pool: 'primary', sticky: 'off', ...JSON.parse(String(row['decision'])) },
    createdAt: new Date(Number(row['created_at'])).toISOString(),
  }
}
