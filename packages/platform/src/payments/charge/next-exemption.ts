import type { Payment, PaymentAttempt, ScaDecision } from '@tillwright/contract'
import { findInstrument } from '../../customers/index.ts'
import type { AuthenticationResult } from '../../processors/index.ts'
import type { Charging, Route } from '../../routing/index.ts'
import { decideExemption } from '../../threeds/index.ts'
import { exemptionFacts } from '../prepare/index.ts'
import { wantsBuyer } from '../record/index.ts'

/** A payment that one processor has not taken, and that goes to the next. */
export interface GoingOn {
  payment: Payment
  route: Route
  threeds: AuthenticationResult | null
  next: PaymentAttempt
}

/**
 * The exemption that the next processor is asked for, and why: whether one holds depends on the acquirer, so that it is
 * decided again at each. `null` where the flow asks for none, and where the buyer was authenticated.
 */
export async function nextExemption(
  { payment, route, threeds, next }: GoingOn,
  charging: Pick<Charging, 'services' | 'capabilitiesOf'>,
): Promise<ScaDecision | null> {
  const { exemptionPolicy, threeDsEnabled } = route.flow
  const { id: paymentId, accountId, amount, paymentInstrumentId, subscriptions } = payment
  if (exemptionPolicy == null || payment.routing.sca === null || paymentInstrumentId === null) return null
  if (threeds !== null && threeds.finalStatus !== TOOK_NOTICE) return null
  const instrument = await findInstrument(paymentInstrumentId, accountId, charging.services.db)
  if (instrument === null) return null
  const isRecurring = subscriptions.some(({ occasion }) => occasion === 'first')
  const subject = { body: payment, instrument, route, amount, isRecurring, next: { attempt: next }, paymentId }
  const facts = await exemptionFacts({ ...subject, ...charging }, charging)
  if (facts === null) return null
  const decision = decideExemption(exemptionPolicy, {
    ...facts,
    isWanted: isBuyerWanted(payment),
    authenticates: threeDsEnabled,
  })
  // Whatever the policy says: there is no other place left to ask in.
  return { ...decision, requestedIn: decision.asked === null ? null : 'authorization' }
}

/** The issuer took notice of an exemption, and leaves it to the authorization. Source: EMV 3-D Secure, transStatus. */
const TOOK_NOTICE = 'I'

/** As it was decided for the first processor, unless its acquirer was reason enough. A series implies its preference. */
function isBuyerWanted({ routing, challengePreference, authenticationType }: Payment): boolean {
  const { sca, challengeMandated, abuseAction } = routing
  if (sca?.scope === 'authentication_wanted' || challengeMandated || abuseAction === 'challenge_3ds') return true
  return authenticationType === 'payment-transaction' && wantsBuyer(challengePreference)
}
