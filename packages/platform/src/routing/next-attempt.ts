import type { AttemptOutcomeName, PaymentAttempt, PaymentFlow, RoutingStop, Fault } from '@tillwright/contract'
import { paymentAttemptsTable } from '../ledger/index.ts'
import { liveDrivers, type RawProcessorSettings } from '../processors/index.ts'
import type { RequestContext, Services } from '../request-context.ts'
import { ApiError, drawOf, faultOf } from '../runtime/index.ts'
import { type Database, pick, rowReader } from '../storage/index.ts'
import { type Charging, pickProcessor, type Route, type Takes } from './route.ts'
import {
  DECLINES_MAX,
  type Forbidden,
  SCHEME_WINDOW_MS,
  type SchemeStop,
  schemeStop,
  waitOfAdvice,
} from './scheme-rules.ts'

/** Why no processor may be asked for a payment. */
export type Untried = Extract<RoutingStop, SchemeStop | 'authentication_required' | 'card_deleted' | 'card_inactive'>

/** The next attempt of a payment, or why there is none. */
export type NextAttempt =
  | { attempt: PaymentAttempt }
  | { stopped: Exclude<Untried, 'authentication_required' | SchemeStop> }
  | Forbidden
  | { stopped: 'no_processor_left'; dropped: PaymentAttempt['decision']['dropped'] }

/** Chooses who is asked next. The draw comes from the attempt's id, so that the choice can be repeated. */
export async function nextAttempt(
  { route, tried }: { route: Route; tried: readonly PaymentAttempt[] },
  { nowMs, newId }: Pick<RequestContext, 'nowMs' | 'newId'>,
  {
    services,
    circuit,
    capabilitiesOf,
    fault = null,
  }: Pick<Charging, 'services' | 'circuit' | 'capabilitiesOf' | 'fault'>,
): Promise<NextAttempt> {
  const { accountId, card, method, isPreview } = route
  const isCounted = method.type === 'card' && !isPreview && countsDeclines(services, fault)
  const [processors, rule] = await Promise.all([
    liveTakes(accountId, services.db, capabilitiesOf),
    isCounted ? forbidden(route, nowMs, services.db) : null,
  ])
  if (rule !== null) return rule
  const id = newId('att')
  const { processorId, ...decision } = pickProcessor({
    ...route,
    processors,
    brand: card.brand,
    tried: new Set(tried.map((attempt) => attempt.processorId)),
    failing: circuit.open(),
    draw: drawOf(id),
  })
  for (const { processorId: stopped, reason } of decision.dropped) {
    if (reason !== 'driver_unavailable') continue
    services.log.error(
      { accountId, processorId: stopped },
      'a payment was kept from a processor that has no driver here',
    )
  }
  if (processorId === null) return { stopped: 'no_processor_left', dropped: decision.dropped }
  const createdAt = new Date(nowMs).toISOString()
  return { attempt: { id, processorId, ...unanswered, decision: { ...decision, sca: null }, createdAt } }
}

/** An attempt before its processor has answered. */
const unanswered = {
  status: 'processing',
  declineCode: null,
  outcome: null,
  advice: null,
  networkTransactionId: null,
  checks: null,
  exemption: null,
  fee: null,
  finishedAt: null,
} as const

/**
 * The cards and currencies that each of the account's processors accepts, without those that are archived.
 *
 * @param capabilitiesOf The capabilities of a driver by its name. An unknown driver takes nothing.
 */
export async function liveTakes(
  accountId: string,
  db: Database,
  capabilitiesOf?: Charging['capabilitiesOf'],
): Promise<Map<string, Takes>> {
  const processors = await liveDrivers(accountId, db)
  return new Map(
    [...processors].map(([id, { driver, config }]) => {
      const takes = readTakes(config)
      return [id, capabilitiesOf === undefined ? takes : { ...takes, capabilities: capabilitiesOf(driver) }]
    }),
  )
}

/** A processor without a configuration, or without a list in it, takes everything. */
function readTakes(config: RawProcessorSettings | null): Takes {
  const { currencies = null, brands = null }: Pick<Partial<Takes>, 'currencies' | 'brands'> = config ?? {}
  return { currencies, brands }
}

/**
 * Networks count the declines of real cards only. Elsewhere a test card may be declined any number of times, unless the
 * request asks for the limit.
 */
function countsDeclines({ environment }: Pick<Services, 'environment'>, fault: Fault | null): boolean {
  return environment === 'production' || faultOf('network', fault) !== null
}

/** The rule of the card's network that forbids another try, on whichever processor of the account; `null` for none. */
async function forbidden(
  { accountId, card, initiatedBy }: Route,
  nowMs: number,
  db: Database,
): Promise<Forbidden | null> {
  const { brand, fingerprint, consent } = card
  const rows = await db.read(selectDeclines, [accountId, fingerprint, nowMs - SCHEME_WINDOW_MS, ROWS_MAX])
  const declines = readDeclines(rows).map(
    ({ payment_id: paymentId, created_at: atMs, decline_code: declineCode, advice }) => {
      return { paymentId, atMs, declineCode, advice }
    },
  )
  const agreedMs = consent?.usage === 'off_session' ? consent.agreedMs : null
  return schemeStop(declines, { brand, initiatedBy, agreedMs, nowMs })
}

/** A payment has at most eleven attempts. Source: the contract's bound of `maxFallbackRetries`. */
const ROWS_MAX = DECLINES_MAX * 11

const selectDeclines = `SELECT payment_id, created_at, decline_code, advice FROM payment_attempts
  WHERE account_id = ? AND card_fingerprint = ? AND is_open = 0 AND status = 'declined' AND created_at > ?
  ORDER BY created_at DESC LIMIT ?`
const readDeclines = rowReader(pick(paymentAttemptsTable, 'payment_id', 'created_at', 'decline_code', 'advice'))

/**
 * The first attempt of a payment, or why the card must not be tried.
 *
 * @throws {ApiError} `no_eligible_processor`.
 */
export async function firstAttempt(
  route: Route,
  context: Pick<RequestContext, 'nowMs' | 'newId'> & Partial<Pick<RequestContext, 'fault'>>,
  charging: Pick<Charging, 'services' | 'circuit' | 'capabilitiesOf'>,
): Promise<NextAttempt> {
  const next = await nextAttempt({ route, tried: [] }, context, { ...charging, fault: context.fault ?? null })
  if ('dropped' in next) throw noEligible(route.flow.id, next.dropped)
  return next
}

function noEligible(flowId: string, dropped: PaymentAttempt['decision']['dropped']): ApiError {
  const reasons = [...new Set(dropped.map(({ reason }) => reason))].join(', ')
  return new ApiError(
    'no_eligible_processor',
    `No processor of the flow '${flowId}' can take this payment (${reasons}); enable or add one.`,
  )
}

/** A flow's rules for further attempts. */
export type RetryRules = Pick<PaymentFlow, 'strategy' | 'fallbackMode' | 'maxFallbackRetries'>

/** An attempt that came to nothing, as it decides about another. */
export interface FailedAttempt {
  outcome: Exclude<AttemptOutcomeName, 'succeeded' | 'authorized' | 'redirect' | 'pending' | 'unknown'>
  /** The network's advice code, `null` for none. */
  advice: string | null
}

/**
 * Why a payment must not be tried at another processor after this outcome; `null` when it may be. It may after a soft
 * decline, and where the attempt never began. Never when an issuer has said that no retry will be approved, or when it
 * asks for the buyer, and not now when the network asks to wait.
 *
 * @param attempts How many there were, this one included.
 */
export function cascadeStopReason(
  { outcome, advice }: FailedAttempt,
  attempts: number,
  flow: RetryRules,
): RoutingStop | null {
  switch (outcome) {
    case 'hard_decline':
    case 'authentication_required':
      return outcome
    case 'soft_decline':
    case 'technical_failure':
      if (waitOfAdvice(advice) > 0) return 'retry_too_early'
      if (flow.strategy === 'simple') return 'single_processor'
      if (!flow.fallbackMode) return 'fallback_off'
      return attempts > flow.maxFallbackRetries ? 'retries_used_up' : null
  }
}
