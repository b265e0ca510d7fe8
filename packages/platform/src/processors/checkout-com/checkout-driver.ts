import { setTimeout as delay } from 'node:timers/promises'
import type { ExemptionResult, ScaExemption } from '@tillwright/contract'
import {
  type Approved,
  type AttemptFacts,
  type Authorisation,
  type AuthorisationOutcome,
  declined,
  notBegun,
} from '../authorisation.ts'
import type { Clock } from '../../runtime/index.ts'
import { type Driver, postAuthorizations, type Query, type QueryOutcome } from '../driver.ts'
import { refusalOf } from '../processor-error.ts'
import { repeatUnderKey } from '../repeat-under-key.ts'
import { GONE_AFTER_MS, sentInTime } from '../time-limit.ts'
import { checkoutAmounts } from './amounts.ts'
import {
  cardUpdateOf,
  checkoutActions,
  checkoutPayment,
  type CheckoutPayment,
  checkoutPayments,
  checksOf,
  isClosedAccount,
} from './answers.ts'
import { ask, type CheckoutClient } from './client.ts'
import { cardErrorDecline, checkoutDecline } from './declines.ts'
import { submitEvidence } from './evidence.ts'
import { modify } from './modifications.ts'
import { type CheckoutAccount, composePayment, exemptions } from './payment-request.ts'

/** Where a driver's requests go, and by which clock. */
export interface CheckoutPlace {
  client: CheckoutClient
  account: CheckoutAccount
  clock: Clock
}

/**
 * Charges cards through Checkout.com. An attempt's id is the reference of its payment, by which it is found; one that
 * is not there is waited for until no request with it can still be on its way.
 */
export function checkoutDriver(place: CheckoutPlace): Driver {
  const { client } = place
  return {
    authorise: (authorisation) => sentInTime(authorisation, place.clock, () => authorise(authorisation, place)),
    ...postAuthorizations((wanted) => modify(wanted, client)),
    query: (query) => queryAttempt(query, place),
    submitEvidence: (evidence) => submitEvidence(evidence, client),
  }
}

async function authorise(authorisation: Authorisation, place: CheckoutPlace): Promise<AuthorisationOutcome> {
  const outcome = await requestPayment(authorisation, place)
  const { exemption } = authorisation
  const isApproved = outcome.outcome === 'authorized' || outcome.outcome === 'succeeded'
  if (!isApproved || exemption === null) return outcome
  return { ...outcome, exemption: await exemptionResult(outcome.reference, exemption, place.client) }
}

async function requestPayment(
  authorisation: Authorisation,
  { client, account }: CheckoutPlace,
): Promise<AuthorisationOutcome> {
  const composed = composePayment(authorisation, account)
  if ('refused' in composed) return notBegun(composed.refused)
  try {
    const payment = await repeatUnderKey(() =>
      ask(client.payments.request(composed.request, authorisation.attemptId), checkoutPayment),
    )
    const outcome = await outcomeOf(payment, authorisation, client)
    if (outcome.outcome === 'not_found' || outcome.outcome === 'not_known_yet') {
      throw new Error(`Checkout.com answered the payment ${payment.id} with ${payment.status}.`)
    }
    return outcome
  } catch (error) {
    const refusal = refusalOf(error)
    return cardErrorDecline(refusal.codes) ?? notBegun(`Checkout.com did not begin: ${refusal.describe()}.`)
  }
}

/** How long what came of an exemption is waited for, because a buyer waits for the answer. */
const TOLD_WITHIN_MS = 2_000

/** What came of an exemption. The payment stands, so that an answer that does not come leaves this unknown and no more. */
async function exemptionResult(id: string, asked: ScaExemption, client: CheckoutClient): Promise<ExemptionResult> {
  const details = await Promise.race([
    ask(client.payments.get(id), checkoutPayment).catch(() => null),
    delay(TOLD_WITHIN_MS, null, { ref: false }),
  ])
  const { '3ds': threeds } = details ?? {}
  const applied = threeds?.exemption_applied
  if (applied === exemptions[asked]) return 'honoured'
  return applied === 'none' ? 'refused' : 'unknown'
}

async function queryAttempt(query: Query, { client, clock }: CheckoutPlace): Promise<QueryOutcome> {
  const { data } = await ask(client.payments.getPaymentList({ reference: query.attemptId }), checkoutPayments)
  const [payment] = data
  if (payment !== undefined) return outcomeOf(payment, query, client)
  const isGone = clock.now() - query.startedAtMs > GONE_AFTER_MS
  return { outcome: isGone ? 'not_found' : 'not_known_yet' }
}

/** Where the attempt of a payment stands: what was captured or refunded of it since does not count. */
async function outcomeOf(
  payment: CheckoutPayment,
  { capture, amount }: AttemptFacts,
  client: CheckoutClient,
): Promise<QueryOutcome> {
  const { id: reference, status, scheme_id: networkTransactionId } = payment
  const checks = checksOf(payment)
  switch (status) {
    case 'Authorized':
    case 'Card Verified':
    case 'Partially Captured':
    case 'Captured':
    case 'Partially Refunded':
    case 'Refunded':
    case 'Paid': {
      const isLater = capture === 'later' && amount > 0
      return {
        ...(isLater ? outcomeOfHold(payment) : { outcome: 'succeeded' }),
        reference,
        ...(networkTransactionId != null && { networkTransactionId }),
        ...(checks !== null && { checks }),
        ...cardUpdateOf(payment),
      }
    }
    case 'Declined': {
      const outcome = isClosedAccount(payment)
        ? declined('closed_account', { reference })
        : checkoutDecline(await whyDeclined(payment, client), reference)
      if (outcome.outcome !== 'declined') return outcome
      return { ...outcome, ...(checks !== null && { checks }), ...cardUpdateOf(payment) }
    }
    case 'Voided':
    case 'Canceled':
    case 'Expired':
      return { outcome: 'not_found' }
    case 'Active':
    case 'Requested':
    case 'Pending':
      return { outcome: 'not_known_yet' }
  }
}

/** Money that was left for later is open until something was captured and nothing can be any more. */
function outcomeOfHold({ balances, currency }: CheckoutPayment): Pick<Approved, 'outcome' | 'captured'> {
  const { total_captured: captured, available_to_capture: open } = balances ?? {
    total_captured: 0,
    available_to_capture: 0,
  }
  if (captured === 0 || open > 0) return { outcome: 'authorized' }
  return { outcome: 'succeeded', captured: checkoutAmounts.read(captured, currency) }
}

/** A payment tells the reason when it is made; later only the action that has declined it does. */
async function whyDeclined({ id, response_code: code, processing }: CheckoutPayment, client: CheckoutClient) {
  if (code != null) return { responseCode: code, advice: processing?.partner_merchant_advice_code ?? null }
  const actions = await ask(client.payments.getActions(id), checkoutActions)
  const declining = actions.find(({ type }) => type === 'Authorization' || type === 'Card Verification')
  return {
    responseCode: declining?.response_code ?? '',
    advice: declining?.processing?.partner_merchant_advice_code ?? null,
  }
}
