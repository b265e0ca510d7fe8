import type { AbuseLimit, Contract, NewPayment, Payment } from '@tillwright/contract'
import type { Handler, PendingReply, Reply, RequestContext, Write } from '../request-context.ts'
import { blockSubject, countDecline, countVelocities, velocitiesOf, type Velocity } from '../routing/index.ts'
import { ApiError } from '../runtime/index.ts'
import type { Row } from '../storage/index.ts'
import { type CardTries, moveCode, readTaken, type SealedCode, takeCode } from '../vault/index.ts'
import { chargePayment } from './charge-payment.ts'
import { declineUntried, payNothing } from './complete/index.ts'
import { type Paying, type PreparedPayment, preparePayment } from './prepare/index.ts'
import { buildPayment, type BuiltPayment, buyersUntilMs, leaveToBuyer, withNextAction } from './record/index.ts'

/** Creates a payment for a merchant's server. */
export function createPayment(paying: Paying, cardTries: CardTries): Handler<Contract['payments']['create']> {
  return async ({ body }, context) =>
    takePayment(await preparePayment(body, context, { ...paying, page: null }), context, { ...paying, cardTries })
}

/** Verifies a card that is saved without an order: a payment of 0, for a merchant's server. */
export function verifyInstrument(paying: Paying, cardTries: CardTries): Handler<Contract['payments']['verify']> {
  return async ({ params: { paymentInstrumentId }, body: { usage, ...sent } }, context) => {
    const body: NewPayment = {
      ...sent,
      paymentInstrumentId,
      amount: 0,
      setupFutureUsage: usage,
      captureMethod: 'automatic',
      authenticationType: 'payment-transaction',
      initiatedBy: 'buyer',
      promotionCodes: [],
      shippingAmount: 0,
    }
    return takePayment(await preparePayment(body, context, { ...paying, page: null }), context, {
      ...paying,
      cardTries,
    })
  }
}

/**
 * Puts a payment on record and charges its card, unless it costs nothing or the buyer has to do something first. The
 * charge happens between transactions: what is tried is on record before it is tried.
 */
export async function takePayment(
  prepared: PreparedPayment,
  context: RequestContext,
  { cardTries, ...paying }: Paying & { cardTries: CardTries },
): Promise<Reply<Payment> | PendingReply<Payment>> {
  if (prepared.next === null) return payNothing(prepared, context)
  const begun = await recordPayment(prepared, context)
  if ('blocked' in begun) return begun.blocked
  const { stopped, session: _, ...started } = begun.started
  if (stopped !== null) return declineUntried({ ...started, stopped }, context)
  const { payment, route } = started
  if (payment.status === 'requires_action') {
    return { body: withNextAction(payment, context.services), writes: begun.left }
  }
  const { authenticator, other } = prepared
  const { code } = begun
  const chargeable = { ...started, threeds: null, other, code, authenticator }
  const end = chargePayment(chargeable, { ...paying, fault: context.fault }).then(async (reply) => {
    await countDecline({ cardId: route.card.cardId, reply }, context, cardTries)
    return reply
  })
  return { meanwhile: async () => ({ body: payment }), end }
}

/**
 * Puts a payment on record, and counts it against the limits of its flow in the same transaction. One that is over a
 * limit is blocked and not recorded, or put on record again with what the flow wants done about it.
 */
async function recordPayment(prepared: PreparedPayment, context: RequestContext): Promise<RecordedPayment> {
  const over: AbuseLimit[] = []
  for (;;) {
    const started = buildPayment(prepared, over, context)
    // A payment that waits for its buyer makes no call, so that it and its answer can be one transaction.
    if (started.payment.status === 'requires_action' && prepared.route.flow.abuseDetectionConfig === null) {
      return { started, left: [...started.writes, ...codeWrites(started)], code: null }
    }
    const begun = await beginWithin(started, { prepared, over }, context)
    if ('code' in begun) return { started, left: leftOf(started), code: begun.code }
    const blocked = blockedBy(begun.exceeded, prepared, context)
    if (blocked !== null) return { blocked }
    over.push(begun.exceeded.limit)
  }
}

/** A waiting payment is left to its buyer from the moment when its request is answered. */
function leftOf({ payment, session }: BuiltPayment): Write[] {
  return session === null ? [] : [leaveToBuyer(payment, buyersUntilMs(session))]
}

/**
 * Writes on the security code in the transaction that puts a payment on record: the first attempt takes it, and a
 * payment that waits for its buyer lets it wait on under its own id.
 */
function codeWrites({ payment, route, session }: Pick<BuiltPayment, 'payment' | 'route' | 'session'>): Write[] {
  const place = { accountId: payment.accountId, codeId: route.card.codeId }
  if (session !== null) return [moveCode(place, payment.id)]
  return payment.attempts.length === 0 ? [] : [takeCode(place)]
}

type Beginning = { prepared: PreparedPayment; over: readonly AbuseLimit[] }

/** @returns The limit that refused the payment, or its security code when it has begun. */
async function beginWithin(
  { payment, route: { card }, session, writes: built }: BuiltPayment,
  { prepared: { body, route, countedBuyer: buyer }, over }: Beginning,
  context: RequestContext,
): Promise<{ exceeded: Velocity } | { code: SealedCode | null }> {
  const { abuseDetectionConfig: config, id: flowId } = route.flow
  const ofCode = codeWrites({ payment, route, session })
  const writes = [...built, ...ofCode]
  const change = { resource: { type: 'payment', id: payment.id }, after: payment }
  const taken = (returned: readonly (readonly Row[])[]) => ({
    code: ofCode.length === 0 ? null : readTaken(returned.at(-1) ?? []),
  })
  if (config === null) return taken(await context.begin(writes, change))
  let exceeded: Velocity | null = null
  const refusal = (velocity: Velocity) => {
    exceeded = velocity
    return abuseBlocked(velocity)
  }
  const { accountId, id: paymentId } = payment
  const cardFingerprint = card.fingerprint
  const counted = { paymentId, flowId, buyerIp: body.buyerIp, cardFingerprint, buyer }
  const counts = countVelocities(velocitiesOf(config, counted), {
    accountId,
    config,
    nowMs: context.nowMs,
    over,
    refusal,
  })
  try {
    return taken(await context.begin([...counts, ...writes], change))
  } catch (error) {
    if (exceeded === null) throw error
    return { exceeded }
  }
}

/** The answer to a payment over a limit that blocks, which keeps its buyer away for as long as the flow says. */
function blockedBy(exceeded: Velocity, { route }: PreparedPayment, { nowMs }: RequestContext) {
  const { accountId, flow } = route
  const config = flow.abuseDetectionConfig
  if (config === null || config.action !== 'block') return null
  return { failure: abuseBlocked(exceeded), writes: [blockSubject(exceeded, { accountId, config, nowMs })] }
}

function abuseBlocked({ limit }: Velocity): ApiError {
  return new ApiError(
    'abuse_blocked',
    `The payment flow's abuse detection blocked the payment (${limit}); ask the buyer to come back later.`,
  )
}

/**
 * A payment that is on record but for what is `left` to be written with the answer, or the answer to one that the flow's
 * abuse detection blocks.
 */
export type RecordedPayment =
  | { started: BuiltPayment; left: readonly Write[]; code: SealedCode | null }
  | { blocked: Extract<Reply<never>, { failure: ApiError }> }
