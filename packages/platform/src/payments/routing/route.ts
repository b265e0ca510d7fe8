import type { Payment, PaymentFlow } from '@tillwright/contract'
import type { Database } from '../../storage/database.ts'
import { findPaymentFlow } from './payment-flows.ts'
import { findInstrument, type PayingInstrument } from '../payment-instruments.ts'
import type { Picking } from './pick-processor.ts'

/** The card of a payment, as far as routing looks at it. */
export type RoutedCard = Pick<PayingInstrument, 'cardId' | 'brand' | 'fingerprint'> & {
  /**
   * Under which name its security code waits: the id of a security code's token, or else the card's own; once the payment
   * waits for its buyer, the payment's.
   */
  codeId: string
}

/** What the choice of a payment's processors depends on, for as long as it is under way. */
export interface Route {
  accountId: string
  flow: PaymentFlow
  currency: string
  card: RoutedCard
  lastSuccess: Picking['lastSuccess']
}

/** Whose last success is looked for, and in which flow. */
export interface Stickable {
  accountId: string
  customerId: string
  flow: Pick<PaymentFlow, 'id' | 'stickyProcessorEnabled'>
}

/** The processor of the customer's last success in a flow; asked for only where the flow keeps customers. */
export async function findLastSuccess(
  { accountId, customerId, flow }: Stickable,
  db: Database,
): Promise<Route['lastSuccess']> {
  if (!flow.stickyProcessorEnabled) return 'off'
  const [row] = await db.read(selectLastSuccess, [accountId, customerId, flow.id])
  return row === undefined ? 'none' : { processorId: String(row['processor_id']) }
}

/** The route of a payment that was put on record earlier; `null` when its flow was archived since. */
export async function readRoute(payment: Payment, db: Database): Promise<Route | null> {
  const { accountId, customerId, currency, paymentFlowId, paymentInstrumentId } = payment
  const [flow, instrument] = await Promise.all([
    findPaymentFlow(paymentFlowId, accountId, db),
    findInstrument(paymentInstrumentId, accountId, db),
  ])
  if (flow === null || instrument === null) return null
  const lastSuccess = await findLastSuccess({ accountId, customerId, flow }, db)
  return { accountId, flow, currency, card: { ...instrument, codeId: payment.id }, lastSuccess }
}

const selectLastSuccess = `SELECT a.processor_id FROM payments p
  JOIN payment_attempts a ON a.account_id = p.account_id AND a.payment_id = p.id AND a.status = 'succeeded'
  WHERE p.account_id = ? AND p.customer_id = ? AND p.payment_flow_id = ? ORDER BY p.id DESC LIMIT 1`
