import type { AttemptOutcomeName, PaymentAttempt, PaymentFlow, RoutingStop, Fault } from '@tillwright/contract'
import { paymentAttemptsTable } from '../ledger/index.ts'
import { liveDrivers, type RawProcessorSettings } from '../processors/index.ts'
import type { RequestContext, Services } from '../request-context.ts'
import { ApiError, drawOf, faultOf } from '../runtime/index.ts'
import { type Database, pick, rowReader } from '../storage/index.ts'
import { type Charging, pickProcessor, type Route, type RoutedCard, type Takes } from './route.ts'

/** Why no processor may be asked for a payment. */
export type Untried = Extract<
  RoutingStop,
  'scheme_limit' | 'authentication_required' | 'card_deleted' | 'card_inactive'
>

/** The next attempt of a payment, or why there is none. */
export type NextAttempt =
  | { attempt: PaymentAttempt }
  | { stopped: Exclude<Untried, 'authentication_required'> }
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
  const { accountId, card, isPreview } = route
  const [processors, isOver] = await Promise.all([
    liveTakes(accountId, services.db, capabilitiesOf),
    !isPreview && countsDeclines(services, fault) && isCardOver(card, { accountId, nowMs }, services.db),
  ])
  if (isOver) return { stopped: 'scheme_limit' }
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
  return { attempt: { id, processorId, ...unanswered, decision, createdAt } }
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
 * @param capabilitiesOf What the driver of a name can do; one that this platform does not have takes nothing.
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

/** Whether the card was declined as often as its network allows, on whichever processor of the account. */
async function isCardOver(
  { brand, fingerprint }: RoutedCard,
  { accountId, nowMs }: { accountId: string; nowMs: number },
  db: Database,
): Promise<boolean> {
  const window = schemeWindow(brand)
  if (window === null) return false
  const rows = await db.read(selectDeclines, [accountId, fingerprint, nowMs - window.withinMs, window.declines])
  const declinedAtMs = readDeclines(rows).map((row) => row.created_at)
  return isOverSchemeLimit(brand, declinedAtMs, nowMs)
}

/**
 * The latest decline of each payment. "Authenticate the buyer first" is no decline that a network counts: the payment goes
 * on, and mostly succeeds.
 */
const selectDeclines = `SELECT MAX(created_at) AS created_at FROM payment_attempts
  WHERE account_id = ? AND card_fingerprint = ? AND is_open = 0 AND status = 'declined' AND created_at > ?
    AND decline_code <> 'authentication_required'
  GROUP BY payment_id ORDER BY created_at DESC LIMIT ?`
const readDeclines = rowReader(pick(paymentAttemptsTable, 'created_at'))

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

/** How often one card may be declined within a time before its network forbids another try. */
interface SchemeLimit {
  declines: number
  withinMs: number
}

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

/**
 * The networks' limits. Sources: Visa, excessive reattempts rule; Mastercard, Transaction Processing Excellence. They count
 * declined attempts with one card at one merchant; successes are free.
 */
const limits: Readonly<Record<string, readonly SchemeLimit[]>> = {
  visa: [{ declines: 20, withinMs: 30 * DAY_MS }],
  mastercard: [
    { declines: 10, withinMs: DAY_MS },
    { declines: 35, withinMs: 30 * DAY_MS },
  ],
}

/**
 * The declines to read for a card before deciding whether it may be retried: how many, and how far back. `null` where
 * its network has no limit.
 */
export function schemeWindow(brand: string): { declines: number; withinMs: number } | null {
  const own = limits[brand]
  if (own === undefined) return null
  return {
    declines: Math.max(...own.map(({ declines }) => declines)),
    withinMs: Math.max(...own.map(({ withinMs }) => withinMs)),
  }
}

/**
 * Whether a card was declined as often as its network allows, so that it must not be tried now.
 *
 * @param declinedAtMs When it was declined: as many of the latest as `schemeWindow` asks for.
 */
export function isOverSchemeLimit(brand: string, declinedAtMs: readonly number[], nowMs: number): boolean {
  return (limits[brand] ?? []).some(
    ({ declines, withinMs }) => declinedAtMs.filter((at) => at > nowMs - withinMs).length >= declines,
  )
}

/** A flow's rules for further attempts. */
export type RetryRules = Pick<PaymentFlow, 'strategy' | 'fallbackMode' | 'maxFallbackRetries'>

/**
 * Why a payment must not be tried at another processor after this outcome; `null` when it may be. It may after a soft
 * decline, and where the attempt never began. Never when an issuer has said that no retry will be approved, or when it
 * asks for the buyer.
 *
 * @param attempts How many there were, this one included.
 */
export function cascadeStopReason(
  outcome: Exclude<AttemptOutcomeName, 'succeeded' | 'authorized' | 'redirect' | 'pending' | 'unknown'>,
  attempts: number,
  flow: RetryRules,
): RoutingStop | null {
  switch (outcome) {
    case 'hard_decline':
    case 'authentication_required':
      return outcome
    case 'soft_decline':
    case 'technical_failure':
      if (flow.strategy === 'simple') return 'single_processor'
      if (!flow.fallbackMode) return 'fallback_off'
      return attempts > flow.maxFallbackRetries ? 'retries_used_up' : null
  }
}
