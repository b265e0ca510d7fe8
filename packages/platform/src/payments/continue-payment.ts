import type { Contract, Payment, PaymentAttempt, ThreedsOutcome } from '@tillwright/contract'
import { CLAIM_LEASE_MS } from '../cluster/index.ts'
import { callOf, freePayment, movePayment, readPayment } from '../ledger/index.ts'
import { promotionsOf } from '../orders/index.ts'
import type { Handler, PendingReply, RequestContext, Reply, Write } from '../request-context.ts'
import {
  type Charging,
  countDecline,
  insertAttempt,
  nextAttempt,
  readRoute,
  type Route,
  type Withdrawn,
} from '../routing/index.ts'
import { ApiError, missing } from '../runtime/index.ts'
import {
  authenticationResultOf,
  findSessionOf,
  keepTrust,
  outcomeOf,
  resetLowValue,
  type SessionRecord,
  statusAt,
} from '../threeds/index.ts'
import { type CardTries, readTaken, takeCode } from '../vault/index.ts'
import { completeAwaited } from './await/index.ts'
import { chargePayment } from './charge-payment.ts'
import { declineUnauthenticated, declineUntried } from './complete/index.ts'

/** Continues a payment for a merchant's server. */
export function continueAuthenticated(
  paying: Charging,
  cardTries: CardTries,
): Handler<Contract['payments']['continue']> {
  return ({ params: { paymentId } }, context) =>
    continuePayment(paymentId, context, { ...paying, cardTries, fault: context.fault })
}

/**
 * Goes on with a payment whose buyer was asked to authenticate. The session's record in the database counts, and
 * nothing that a page says: with a proof the card is charged, with any other end the payment is declined.
 *
 * @throws {ApiError} `resource_missing`; `state_conflict` while the buyer is not done, and for a payment that does not
 *   wait; what picking a processor throws.
 */
export async function continuePayment(
  paymentId: string,
  context: RequestContext,
  charging: CountedCharging,
): Promise<Reply<Payment> | PendingReply<Payment>> {
  const { accountId } = context.caller
  const [payment, session, route] = await Promise.all([
    readPayment(paymentId, accountId, context.services.db),
    findSessionOf(paymentId, accountId, context.services.db),
    readRoute(paymentId, accountId, context.services.db),
  ])
  if (payment === null) throw missing('payment', paymentId)
  if (payment.expiresAt !== null) return completeAwaited(payment, null, { emitter: callOf(payment, context), charging })
  return goOn({ payment, session: requireWaiting(payment, session), route }, callOf(payment, context), charging)
}

/** Dependencies for charging cards, with the counter for declines that suggest card testing. */
export interface CountedCharging extends Charging {
  cardTries: CardTries
}

interface Waiting {
  payment: Payment
  session: SessionRecord
  route: Route | Withdrawn
}

async function goOn(
  { payment, session, route }: Waiting,
  context: RequestContext,
  charging: CountedCharging,
): Promise<Reply<Payment> | PendingReply<Payment>> {
  const outcome = endOf(payment, outcomeOf(statusAt(session, context.nowMs)))
  switch (outcome) {
    case 'authenticated':
    case 'attempted':
      if (typeof route === 'string') return withoutCard(payment, route, context)
      return chargeAuthenticated({ payment, session, route }, context, charging)
    case 'pending':
      throw conflict(payment, 'waits for its buyer; continue it when checkout.authenticate() has ended in your page')
    case 'failed':
    case 'rejected':
    case 'cancelled':
    case 'timed_out':
    case 'unavailable':
    case 'informational':
      return declineUnauthenticated(payment, outcome, { emitter: context, db: context.services.db })
  }
}

/** A card that was deleted or deactivated while its buyer authenticated is not charged. */
async function withoutCard(payment: Payment, stopped: Withdrawn, context: RequestContext): Promise<Reply<Payment>> {
  const applied = await promotionsOf(payment.orderId, payment.accountId, context.services.db)
  return declineUntried({ payment, applied, stopped }, context)
}

/**
 * An attempt proves nothing of who pays: it does not do where the buyer had to be asked. An issuer that only takes notice
 * leaves it to the authorization whether the exemption holds that it was asked for, and does what a merchant has wished who
 * gave it a reason not to ask.
 */
function endOf({ routing, challengePreference, attempts }: Payment, outcome: ThreedsOutcome): ThreedsOutcome {
  const { challengeMandated, sca } = routing
  if (outcome === 'attempted') return challengeMandated ? 'unavailable' : outcome
  const wasAskedNotTo = sca?.requestedIn === 'authentication' || REASONS_NOT_TO_ASK.has(challengePreference)
  // After a declined attempt a challenge was asked for, and none of this.
  const isAcknowledged = wasAskedNotTo && !challengeMandated && attempts.length === 0
  return outcome === 'informational' && isAcknowledged ? 'attempted' : outcome
}

/**
 * Preferences by which a merchant bears the loss of a fraud: the risk was weighed, data is only shared, the buyer was
 * authenticated already or trusts the merchant. Source: EMV 3DS 2.2.0, threeDSRequestorChallengeInd; transStatus I, "challenge
 * preference acknowledged".
 */
const REASONS_NOT_TO_ASK: ReadonlySet<string> = new Set(['05', '06', '07', '08'])

function requireWaiting(payment: Payment, session: SessionRecord | null): SessionRecord {
  const { status, threedsSessionId } = payment
  if (status !== 'requires_action' || threedsSessionId === null) {
    throw conflict(payment, `is ${status} and has nothing to continue; read it to see where it stands`)
  }
  if (session === null) throw new Error(`The session ${threedsSessionId} of a payment is gone.`)
  return session
}

/** The charge happens between two transactions, as that of any payment. */
async function chargeAuthenticated(
  { payment, session, route }: Waiting & { route: Route },
  context: RequestContext,
  { cardTries, ...charging }: CountedCharging,
): Promise<Reply<Payment> | PendingReply<Payment>> {
  const [applied, threeds, next] = await Promise.all([
    promotionsOf(payment.orderId, payment.accountId, context.services.db),
    authenticationResultOf(session, context.services.db),
    nextAttempt({ route: afterStepUp(route, payment), tried: [] }, context, charging),
  ])
  if ('stopped' in next) {
    if (next.stopped === 'no_processor_left') throw noProcessor(payment)
    return declineUntried({ payment, applied, stopped: next.stopped }, context)
  }
  const exempted = afterAuthentication(payment, session)
  const attempt = { ...next.attempt, exemption: noticed(exempted, session) }
  const authenticated = await authenticationWrites({ payment, session, route, exempted }, context)
  const take = takeCode({ accountId: payment.accountId, codeId: route.card.codeId })
  const holder = context.services.cluster.self.id
  const begun = [...processingWrites(payment, { attempt, route, holder }, context), ...authenticated, take]
  const returned = await context.begin(begun, { resource: { type: 'payment', id: payment.id }, before: payment })
  const processing: Payment = {
    ...payment,
    routing: { ...payment.routing, sca: exempted },
    status: 'processing',
    requireAction: 'none',
    attempts: [...payment.attempts, attempt],
  }
  const code = readTaken(returned.at(-1) ?? [])
  const authenticator = mayStepUp(payment, session) ? session.provider : null
  const chargeable = { payment: processing, route, applied, threeds, other: null, code, authenticator, holder }
  const end = chargePayment(chargeable, charging).then(async (reply) => {
    await countDecline({ cardId: route.card.cardId, reply }, context, cardTries)
    return reply
  })
  return { meanwhile: async () => ({ body: processing }), end }
}

/**
 * Whether an issuer that declines because it wants the buyer, whom it has authenticated without asking, is asked for a challenge.
 * Once: the session after that has an attempt before it. Not where a challenge was asked for at first.
 */
function mayStepUp({ attempts, routing }: Payment, session: SessionRecord): boolean {
  return attempts.length === 0 && !routing.challengeMandated && !wasAsked(session)
}

/** Result of an exemption that was requested with the authentication. */
function afterAuthentication({ routing: { sca } }: Payment, session: SessionRecord): Payment['routing']['sca'] {
  if (sca === null || sca.requestedIn !== 'authentication' || sca.result !== null) return sca
  return { ...sca, result: wasAsked(session) ? 'refused' : 'honoured' }
}

/** An issuer that took notice of an exemption is asked for it again with the authorization, which decides. */
function noticed(sca: Payment['routing']['sca'], { status }: SessionRecord): PaymentAttempt['exemption'] {
  if (status !== 'informational' || sca === null || sca.asked === null) return null
  return { asked: sca.asked, result: null }
}

/** Whether the issuer has asked the buyer: only a challenge has a result of its own. */
function wasAsked({ result }: SessionRecord): boolean {
  return result !== null
}

/**
 * The writes of an authentication that later exemptions depend on: a buyer who was asked and has proved who they are
 * begins to be counted anew, and the issuer may have told that it is on their list.
 */
async function authenticationWrites(
  { payment, session, route, exempted }: Waiting & { route: Route; exempted: Payment['routing']['sca'] },
  { services }: RequestContext,
): Promise<Write[]> {
  const { accountId, id } = payment
  const { exemptionPolicy } = route.flow
  const isProven = wasAsked(session) && outcomeOf(session.status) === 'authenticated'
  const trust = exemptionPolicy?.exemptions.includes('trusted') === true ? await keepTrust(session, services.db) : []
  return [
    ...(exempted === payment.routing.sca
      ? []
      : [
          {
            sql: 'UPDATE payments SET routing = ? WHERE account_id = ? AND id = ?',
            params: [JSON.stringify({ ...payment.routing, sca: exempted }), accountId, id],
          },
        ]),
    ...(isProven && !route.isPreview ? [resetLowValue({ accountId, cardFingerprint: route.card.fingerprint })] : []),
    ...trust,
  ]
}

/** Where a processor has asked for the authentication, it is the one to be given the proof. */
function afterStepUp(route: Route, { attempts }: Payment): Route {
  const asked = attempts.at(-1)
  if (asked === undefined) return route
  const { processorConfigs, fallbackProcessorConfigs } = route.flow
  // One that keeps no customers keeps a payment.
  const kept = (configs: typeof processorConfigs) => configs.map((config) => ({ ...config, nonStickable: false }))
  const pools = { processorConfigs: kept(processorConfigs), fallbackProcessorConfigs: kept(fallbackProcessorConfigs) }
  return { ...route, lastSuccess: asked, flow: { ...route.flow, ...pools } }
}

interface Processing {
  attempt: PaymentAttempt
  route: Route
  /** The process that takes it on. */
  holder: string
}

/** From now on the payment is this request's, and its key's is the answer that recovery stores should we die. */
function processingWrites(
  payment: Payment,
  { attempt, route, holder }: Processing,
  { nowMs, idempotencyKey }: RequestContext,
): Write[] {
  const { accountId, id: paymentId, status: from } = payment
  const ordinal = payment.attempts.length + 1
  const leaseUntilMs = nowMs + CLAIM_LEASE_MS
  return [
    movePayment({ accountId, paymentId, from, to: 'processing', leaseUntilMs, nowMs }),
    {
      giveBack: freePayment({ accountId, id: paymentId, holder, leaseUntilMs }),
      sql: 'UPDATE payments SET idempotency_key = ?, holder = ? WHERE account_id = ? AND id = ?',
      params: [idempotencyKey, holder, accountId, paymentId],
    },
    insertAttempt({ attempt, payment, ordinal, cardFingerprint: route.card.fingerprint }, nowMs),
  ]
}

function noProcessor({ paymentFlowId }: Payment): ApiError {
  const why = `No processor of the flow '${paymentFlowId}' can take this payment; enable or add one, and continue it then.`
  return new ApiError('no_eligible_processor', why)
}

function conflict({ id }: Payment, why: string): ApiError {
  return new ApiError('state_conflict', `The payment '${id}' ${why}.`)
}
