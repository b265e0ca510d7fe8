import type { PaymentFlow } from '@tillwright/contract'
import type { PayingInstrument } from '../customers/index.ts'
import { paymentAttemptsTable, paymentsTable } from '../ledger/index.ts'
import { type DriverOf, paymentFlowsTable } from '../processors/index.ts'
import type { Services } from '../request-context.ts'
import type { Fault } from '../runtime/index.ts'
import { type Database, pick, rowReader } from '../storage/index.ts'
import { cardsTable, type CvcMemory } from '../vault/index.ts'
import type { CircuitBreaker } from './circuit-breaker.ts'
import type { Picking } from './pick-processor.ts'

/** The card of a payment, as far as routing looks at it. */
export type RoutedCard = Pick<PayingInstrument, 'cardId' | 'brand' | 'fingerprint'> & {
  /**
   * Under which name its security code waits: the id of a security code's token, or else the card's own; once the payment
   * waits for its buyer, the payment's.
   */
  codeId: string
}

/** The inputs to the choice of a payment's processors, for as long as it is under way. */
export interface Route {
  accountId: string
  flow: PaymentFlow
  currency: string
  card: RoutedCard
  lastSuccess: Picking['lastSuccess']
  /** A preview reaches no card network, so that no network's limit stops it. */
  isPreview: boolean
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
  const [row] = readLastSuccesses(await db.read(selectLastSuccess, [accountId, customerId, flow.id]))
  return row === undefined ? 'none' : { processorId: row.processor_id }
}

/** The route of a payment that was put on record earlier; `null` when its flow was archived since. */
export async function readRoute(paymentId: string, accountId: string, db: Database): Promise<Route | null> {
  const [row] = readRoutes(await db.read(selectRoute, [accountId, paymentId]))
  if (row === undefined) return null
  const { flow } = row
  const lastSuccess = await findLastSuccess({ accountId, customerId: row.customer_id, flow }, db)
  const card = {
    cardId: row.card_id,
    brand: row.brand,
    fingerprint: row.fingerprint,
    codeId: paymentId,
  }
  return { accountId, flow, currency: row.currency, card, lastSuccess, isPreview: row.preview !== null }
}

const selectRoute = `SELECT p.customer_id, p.currency, p.preview, f.resource AS flow, c.id AS card_id, c.brand, c.fingerprint
  FROM payments p
  JOIN payment_flows f ON f.account_id = p.account_id AND f.id = p.payment_flow_id AND f.archived_at IS NULL
  JOIN payment_instruments i ON i.account_id = p.account_id AND i.id = p.payment_instrument_id
  JOIN cards c ON c.account_id = i.account_id AND c.id = i.card_id
  WHERE p.account_id = ? AND p.id = ?`
const readRoutes = rowReader({
  ...pick(paymentsTable, 'customer_id', 'currency', 'preview'),
  flow: paymentFlowsTable.resource,
  card_id: cardsTable.id,
  ...pick(cardsTable, 'brand', 'fingerprint'),
})

const selectLastSuccess = `SELECT a.processor_id FROM payments p
  JOIN payment_attempts a ON a.account_id = p.account_id AND a.payment_id = p.id AND a.status = 'succeeded'
  WHERE p.account_id = ? AND p.customer_id = ? AND p.payment_flow_id = ? ORDER BY p.id DESC LIMIT 1`
const readLastSuccesses = rowReader(pick(paymentAttemptsTable, 'processor_id'))

/** Who charges, and where the card's secrets come from. */
export interface Charging {
  services: Services
  driverOf: DriverOf
  cvcs: CvcMemory
  circuit: CircuitBreaker
  /** Whether this platform has a driver of the name; every name counts unless given. */
  hasDriver?: (name: string) => boolean
  /** The fault to simulate at the processor; none by default. */
  fault?: Fault | null
}
