import type { Payment, ThreedsProviderName } from '@tillwright/contract'
import { emit, type Emitter } from '../../events/index.ts'
import { eventFacts } from '../../ledger/index.ts'
import type { RequestContext, Services, Write } from '../../request-context.ts'
import { insertSession, newSession, type SessionRecord, signActionToken } from '../../threeds/index.ts'

/** How long a shop's server has after a session's time to continue the payment of a buyer who was authenticated. */
export const CONTINUE_WITHIN_MS = 10 * 60 * 1_000

/** A payment that is about to be put on record. */
type NewlyMade = Pick<Payment, 'id' | 'storeId' | 'customerId' | 'paymentInstrumentId'>

/** The session that a payment waits for, at the provider of its account. */
export function sessionFor(
  payment: NewlyMade,
  provider: ThreedsProviderName,
  context: Emitter & Pick<RequestContext, 'services'>,
): SessionRecord {
  const { id: paymentId, storeId, customerId, paymentInstrumentId } = payment
  return newSession({ storeId, paymentInstrumentId, provider }, { customerId, paymentId, keyId: null }, context)
}

/** The statements that record a payment's session, and tell that its buyer has to do something. */
export function waitWrites(payment: Payment, session: SessionRecord, context: Emitter): Write[] {
  const { paymentInstrumentId, requireAction } = payment
  const { id: sessionId, provider, status } = session
  const { subject, moved } = eventFacts(payment, payment.status)
  return [
    insertSession(session, undefined),
    ...emit(
      's_threeds_session_created',
      { ...subject, properties: { sessionId, paymentInstrumentId, provider, status } },
      context,
    ),
    ...emit('s_payment_action_required', { ...subject, properties: { ...moved, requireAction, sessionId } }, context),
  ]
}

/** A payment as its shop's server sees it: with the token for the buyer's page while it waits for the buyer. */
export function withNextAction(payment: Payment, { secrets }: Pick<Services, 'secrets'>): Payment {
  const { accountId, threedsSessionId: sessionId } = payment
  if (payment.requireAction !== 'threeds_auth' || sessionId === null) return payment
  const actionToken = signActionToken({ accountId, sessionId }, secrets)
  return { ...payment, nextAction: { type: 'threeds_auth', actionToken, sessionId } }
}

/** Until when a payment is its buyer's that waits for a session, in Unix milliseconds: then somebody ends it. */
export function buyersUntilMs({ expiresAtMs }: Pick<SessionRecord, 'expiresAtMs'>): number {
  return expiresAtMs + CONTINUE_WITHIN_MS
}

/**
 * The statement that leaves a waiting payment to its buyer, in the transaction that answers its request. Until then its
 * lease is that of any payment in progress, so that recovery finds the unanswered ones.
 */
export function leaveToBuyer({ accountId, id }: Pick<Payment, 'accountId' | 'id'>, untilMs: number): Write {
  return {
    sql: `UPDATE payments SET lease_until = ? WHERE account_id = ? AND id = ? AND status = 'requires_action'`,
    params: [untilMs, accountId, id],
  }
}
