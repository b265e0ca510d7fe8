import type {
  DropReason,
  Fault,
  Payment,
  PaymentAttempt,
  PaymentFlow,
  ProcessorConfig,
  Stickiness,
} from '@tillwright/contract'
import { payerColumns, payerFrom, payerOf, type PayingInstrument, paymentInstrumentsTable } from '../customers/index.ts'
import { paymentAttemptsTable, paymentsTable } from '../ledger/index.ts'
import { ordersTable } from '../orders/index.ts'
import {
  type AttemptFacts,
  type Authorisation,
  type AuthorisationOutcome,
  type BuyerDetails,
  type Capabilities,
  type DriverOf,
  type MethodName,
  type OtherMethod,
  paymentFlowsTable,
  type PresentedCard,
} from '../processors/index.ts'
import type { Services } from '../request-context.ts'
import { pickByWeight } from '../runtime/index.ts'
import { type Database, nullable, pick, rowReader } from '../storage/index.ts'
import { cardsTable, type SealedCode, type SecurityCodes } from '../vault/index.ts'
import type { CircuitBreaker } from './circuit-breaker.ts'

/** The card of a payment, as far as routing looks at it. */
export type RoutedCard = Pick<PayingInstrument, 'cardId' | 'brand' | 'last4' | 'fingerprint' | 'consent'> & {
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
  method: RoutedMethod
  buyer: BuyerDetails
  lastSuccess: Picking['lastSuccess']
  /** Networks restrict payments more if the merchant initiates them. */
  initiatedBy: Payment['initiatedBy']
  /** A preview reaches no card network, so that no network's limit stops it. */
  isPreview: boolean
}

/** A placeholder for the card of another method. It has no fingerprint, so nothing is counted for it. */
export function withoutCard(method: MethodName | 'none'): RoutedCard {
  return { cardId: '', brand: method, last4: '', fingerprint: '', consent: null, codeId: '' }
}

/** A typed card. */
export const numberedCard: RoutedMethod = { type: 'card', kind: 'number' }

/** The customer and flow whose last success is looked up. */
export interface Stickable {
  accountId: string
  customerId: string
  flow: Pick<PaymentFlow, 'id' | 'stickyProcessorEnabled'>
}

/**
 * The processor of the customer's last success in a flow, among the latest hundred payments; asked for only where the flow
 * keeps customers.
 */
export async function findLastSuccess(
  { accountId, customerId, flow }: Stickable,
  db: Database,
): Promise<Route['lastSuccess']> {
  if (!flow.stickyProcessorEnabled) return 'off'
  const [row] = readLastSuccesses(await db.read(selectLastSuccess, [accountId, customerId, flow.id]))
  return row === undefined ? 'none' : { processorId: row.processor_id }
}

/** Why the card of a payment that has waited for its buyer is not charged any more. */
export type Withdrawn = 'card_deleted' | 'card_inactive'

/** The route of a payment that was put on record earlier; an archived flow ends what it has begun. */
export async function readRoute(paymentId: string, accountId: string, db: Database): Promise<Route | Withdrawn> {
  const [row] = readRoutes(await db.read(selectRoute, [accountId, paymentId]))
  if (row === undefined || row.purged_at !== null) return 'card_deleted'
  if (!row.is_active) return 'card_inactive'
  const { flow } = row
  const lastSuccess = await findLastSuccess({ accountId, customerId: row.customer_id, flow }, db)
  const card = {
    cardId: row.card_id,
    brand: row.brand,
    last4: row.last4,
    fingerprint: row.fingerprint,
    consent: row.consent,
    codeId: paymentId,
  }
  const payer = row.buyer === null ? payerFrom(row) : payerOf(row.buyer)
  return {
    accountId,
    flow,
    currency: row.currency,
    card,
    method: { type: 'card', kind: row.kind },
    buyer: { ...payer, ip: null },
    lastSuccess,
    // A payment that is taken up again has waited for its buyer.
    initiatedBy: 'buyer',
    isPreview: row.preview !== null,
  }
}

const selectRoute = `SELECT p.customer_id, p.currency, p.preview, f.resource AS flow, c.id AS card_id, c.kind, c.brand, c.last4, c.fingerprint, c.purged_at,
    i.consent, i.is_active,
    o.buyer, u.email, u.first_name, u.last_name, u.details
  FROM payments p
  JOIN payment_flows f ON f.account_id = p.account_id AND f.id = p.payment_flow_id
  JOIN payment_instruments i ON i.account_id = p.account_id AND i.id = p.payment_instrument_id
  JOIN cards c ON c.account_id = i.account_id AND c.id = i.card_id
  LEFT JOIN orders o ON o.account_id = p.account_id AND o.id = p.order_id
  LEFT JOIN customers u ON u.account_id = p.account_id AND u.id = p.customer_id
  WHERE p.account_id = ? AND p.id = ?`

const readRoutes = rowReader({
  ...pick(paymentsTable, 'customer_id', 'currency', 'preview'),
  flow: paymentFlowsTable.resource,
  card_id: cardsTable.id,
  ...pick(cardsTable, 'kind', 'brand', 'last4', 'fingerprint', 'purged_at'),
  ...pick(paymentInstrumentsTable, 'consent', 'is_active'),
  buyer: nullable(ordersTable.buyer),
  ...payerColumns,
})

/** So many payments are looked through, the latest first: a customer of a million costs no more, nor an index of its own. */
const PAYMENTS_LOOKED_AT = 100

const selectLastSuccess = `SELECT a.processor_id
  FROM (SELECT account_id, id, payment_flow_id FROM payments WHERE account_id = ? AND customer_id = ?
    ORDER BY id DESC LIMIT ${PAYMENTS_LOOKED_AT}) AS p
  JOIN payment_attempts a ON a.account_id = p.account_id AND a.payment_id = p.id AND a.status = 'succeeded'
  WHERE p.payment_flow_id = ? ORDER BY p.id DESC LIMIT 1`

const readLastSuccesses = rowReader(pick(paymentAttemptsTable, 'processor_id'))

/** Dependencies for charging a card. */
export interface Charging {
  services: Services
  driverOf: DriverOf
  codes: SecurityCodes
  circuit: CircuitBreaker
  /** The capabilities of a driver by its name; `null` if this platform has no such driver. All by default. */
  capabilitiesOf?: (driver: string) => Capabilities | null
  /** Presents a card to a processor in a process that holds the card key; in this one unless given. */
  present?: (presentation: Presentation) => Promise<AuthorisationOutcome>
  /** The origin of the API, to which buyers come back from a method's page. */
  apiUrl?: string
  /** The fault to simulate at the processor, or the limit of the card's network; none by default. */
  fault?: Fault | null
}

/**
 * An attempt to charge a card as it goes to the vault, and the vault makes an authorisation of it: it holds neither the
 * card's number nor its security code in the clear. Plain JSON.
 */
export interface Presentation extends Omit<Authorisation, keyof AttemptFacts | 'method'> {
  accountId: string
  processorId: string
  preview: Payment['preview']
  /** The card in the vault, or the method that is no card. */
  paidWith: { cardId: string } | OtherMethod
  code: SealedCode | null
  facts: AttemptFacts
  fault: Fault | null
}

/** The currencies and networks of a processor; `null` for all. */
export interface Takes {
  /** Upper-case ISO 4217 codes. */
  currencies: readonly string[] | null
  /** Card networks as the vault names them. */
  brands: readonly string[] | null
  /** The capabilities of its driver; `null` if this platform has no such driver. All by default. */
  capabilities?: Pick<Capabilities, 'cards' | 'methods'> | null
}

/** The method of a payment, as far as routing depends on it. */
export type RoutedMethod =
  | { type: 'card'; kind: PresentedCard['kind'] }
  | {
      type: MethodName
      /** The buyer's, ISO 3166-1 alpha-2; `null` where it is not known. */
      country: string | null
    }

/** The inputs to the choice of a processor. */
export interface Picking {
  flow: Pick<PaymentFlow, 'strategy' | 'pickProcessorStrategy' | 'processorConfigs' | 'fallbackProcessorConfigs'>
  /** The account's processors that are not archived, by id. */
  processors: ReadonlyMap<string, Takes>
  currency: string
  brand: string
  method: RoutedMethod
  /** The processors that this payment has tried. */
  tried: ReadonlySet<string>
  /** Processors with an open circuit: they have failed several times in a row. */
  failing: ReadonlySet<string>
  /** The processor of the customer's last success; `none` without one, `off` where the flow is not sticky. */
  lastSuccess: { processorId: string } | 'none' | 'off'
  /** A number in [0, 1). */
  draw: number
}

/** The choice of a processor, with its reasons. `processorId` is `null` if none is eligible. */
export type ProcessorChoice = Omit<PaymentAttempt['decision'], 'sca'> & { processorId: string | null }

/**
 * Picks the processor of an attempt. A customer stays with the processor of the last success, where the flow says so;
 * else it is drawn by weight over the eligible ones (all zero counts as equal), or simply the first where the flow's
 * strategy is `ordered`. A flow of the strategy `cascade` turns to its fallback processors when no other is eligible.
 */
export function pickProcessor(picking: Picking): ProcessorChoice {
  const { flow, draw } = picking
  const pools = {
    primary: sift(flow.processorConfigs, picking),
    fallback: sift(flow.strategy === 'cascade' ? flow.fallbackProcessorConfigs : [], picking),
  }
  const dropped = [...pools.primary.dropped, ...pools.fallback.dropped]
  const first = pools.primary.eligible.length > 0 || pools.fallback.eligible.length === 0 ? 'primary' : 'fallback'
  const sticky = stickTo([...pools.primary.eligible, ...pools.fallback.eligible], picking)
  const pool = sticky.config !== null && pools.fallback.eligible.includes(sticky.config) ? 'fallback' : first
  const { eligible } = pools[pool]
  const drawn = flow.pickProcessorStrategy === 'ordered' ? eligible[0] : pickByWeight(eligible, draw)
  const processorId = (sticky.config ?? drawn)?.processorId ?? null
  const candidates = eligible.map((config) => ({ processorId: config.processorId, weight: config.weight }))
  return { processorId, pool, candidates, dropped, sticky: sticky.outcome, draw }
}

interface Sifted {
  eligible: ProcessorConfig[]
  dropped: { processorId: string; reason: DropReason }[]
}

function sift(configs: readonly ProcessorConfig[], picking: Picking): Sifted {
  const sifted: Sifted = { eligible: [], dropped: [] }
  for (const config of configs) {
    const reason = ineligibilityOf(config, picking)
    if (reason === null) sifted.eligible.push(config)
    else sifted.dropped.push({ processorId: config.processorId, reason })
  }
  return sifted
}

function ineligibilityOf({ processorId, disabled }: ProcessorConfig, picking: Picking): DropReason | null {
  const { processors, tried, failing, currency, brand, method } = picking
  if (disabled) return 'disabled'
  const takes = processors.get(processorId)
  if (takes === undefined) return 'archived'
  if (takes.capabilities === null) return 'driver_unavailable'
  if (!canTake(takes.capabilities, method, currency)) return 'method_unsupported'
  if (tried.has(processorId)) return 'already_tried'
  if (takes.currencies?.includes(currency) === false) return 'currency_unsupported'
  if (method.type === 'card' && takes.brands?.includes(brand) === false) return 'brand_unsupported'
  return failing.has(processorId) ? 'circuit_open' : null
}

/** Whether a driver can take a method, or a kind of card, in a currency and from the buyer's country. */
function canTake(capabilities: Takes['capabilities'], method: RoutedMethod, currency: string): boolean {
  if (capabilities == null) return true
  if (method.type === 'card') return capabilities.cards.includes(method.kind)
  const own = capabilities.methods.find((each) => each.method === method.type)
  if (own === undefined || own.currencies?.includes(currency) === false) return false
  return method.country === null || own.countries?.includes(method.country) !== false
}

function stickTo(
  eligible: readonly ProcessorConfig[],
  { lastSuccess }: Pick<Picking, 'lastSuccess'>,
): { outcome: Stickiness; config: ProcessorConfig | null } {
  if (typeof lastSuccess === 'string') return { outcome: lastSuccess, config: null }
  const config = eligible.find(({ processorId }) => processorId === lastSuccess.processorId)
  if (config === undefined) return { outcome: 'not_eligible', config: null }
  return config.nonStickable ? { outcome: 'non_stickable', config: null } : { outcome: 'kept', config }
}
