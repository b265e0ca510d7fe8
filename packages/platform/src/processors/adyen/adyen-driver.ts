import {
  type Approved,
  type AttemptFacts,
  type Authorisation,
  type AuthorisationOutcome,
  declined,
  notBegun,
} from '../authorisation.ts'
import { type Driver, postAuthorizations, type Query, type QueryOutcome } from '../driver.ts'
import { refusalOf } from '../processor-error.ts'
import { GONE_AFTER_MS, sentInTime } from '../time-limit.ts'
import { minorAmount } from './amounts.ts'
import { type AdyenClient, AdyenError } from './client.ts'
import { modify, UNDONE } from './modifications.ts'
import { type KeptNotification, notificationsAbout, notificationsOfPayment, type Place } from './notifications.ts'
import { composePayment } from './payment-request.ts'
import { approved, declineOf, outcomeOf, PENDING_MS, REDIRECT_MS } from './results.ts'

const MINUTE_MS = 60_000
/** By when Adyen, which had nothing to call off, has told of the payment if there is one. */
const TOLD_WITHIN_MS = 60 * MINUTE_MS
/** An attempt without any notification after this time counts as one that never arrived. */
const SILENT_AFTER_MS = 24 * 60 * MINUTE_MS

/**
 * Charges through Adyen's Checkout API. Adyen has no look-up of payments: if an answer is lost, only notifications tell
 * the outcome. An attempt without any notification is cancelled by its reference, which Adyen calls a technical cancel.
 */
export function adyenDriver(client: AdyenClient, place: Place): Driver {
  return {
    authorise: (authorisation) =>
      sentInTime(authorisation, place.services.clock, () => authorise(authorisation, client)),
    ...postAuthorizations((wanted) => modify(wanted, client, place)),
    query: (query) => queryAttempt(query, client, place),
  }
}

async function authorise(
  authorisation: Authorisation,
  { payments, merchantAccount }: AdyenClient,
): Promise<AuthorisationOutcome> {
  const composed = composePayment(authorisation, merchantAccount)
  if ('refused' in composed) return notBegun(composed.refused)
  const { attemptId, exemption, method } = authorisation
  try {
    const response = await payments.payments(composed.request, { idempotencyKey: attemptId })
    return outcomeOf(response, { facts: authorisation, exemption, isCard: method.type === 'card' })
  } catch (error) {
    return notBegun(`Adyen did not begin: ${refusalOf(error).describe()}.`)
  }
}

async function queryAttempt(query: Query, client: AdyenClient, place: Place): Promise<QueryOutcome> {
  const notified = notifiedOutcome(await notificationsAbout(query.attemptId, place), query)
  if (notified !== null && 'reference' in notified && notified.reference !== null) {
    const all = await notificationsOfPayment(notified.reference, place)
    if (all.some(isEnded)) return { outcome: 'not_found' }
    return notified.outcome === 'authorized' ? { ...notified, ...capturedOf(all) } : notified
  }
  if (notified !== null) return notified
  if (query.reference === null) return callOff(query, client, place)
  return (await returnedOutcome(query, client)) ?? awaitBuyer(query, place)
}

/**
 * Redeems the `redirectResult` that the buyer brought back; `null` if there is none or it belongs to another attempt.
 */
async function returnedOutcome(query: Query, { payments }: AdyenClient): Promise<AuthorisationOutcome | null> {
  const redirectResult = query.returned?.['redirectResult']
  if (redirectResult === undefined || query.reference !== query.attemptId) return null
  try {
    const response = await payments.paymentsDetails({ details: { redirectResult } })
    if (response.merchantReference !== query.attemptId) return null // of another payment, or made up
    return outcomeOf(response, { facts: query, exemption: null, isCard: false })
  } catch (error) {
    if (error instanceof AdyenError) return null // unreadable, or decided later by a notification
    throw error
  }
}

/**
 * The outcome in the notifications of an attempt; `null` if none has it yet. A buyer may fail at first and pay at the
 * next try.
 */
function notifiedOutcome(notifications: readonly KeptNotification[], facts: AttemptFacts): AuthorisationOutcome | null {
  const results = notifications.filter(({ event }) => event === 'AUTHORISATION')
  const paid = results.find(({ succeeded }) => succeeded)
  if (paid !== undefined) return approved(paid.reference, { details: paid.told.details, facts, exemption: null })
  const [failed] = results
  if (failed !== undefined)
    return declineOf({ refusalReason: failed.told.reason }, failed.told.details, failed.reference)
  const isClosed = notifications.some(({ event, succeeded }) => event === 'OFFER_CLOSED' && succeeded)
  return isClosed ? expired(null) : null
}

/** What was captured of an authorisation: Adyen takes one capture, which releases the rest. Nothing where none was. */
function capturedOf(notifications: readonly KeptNotification[]): Partial<Pick<Approved, 'outcome' | 'captured'>> {
  const undone = new Set(notifications.filter(({ event }) => UNDONE.has(event)).map(({ reference }) => reference))
  const taken = notifications.find(
    ({ event, succeeded, reference }) => event === 'CAPTURE' && succeeded && !undone.has(reference),
  )
  return taken === undefined ? {} : { outcome: 'succeeded', captured: minorAmount(taken.told.amount) }
}

/** Whether an authorisation has ended without being captured. */
function isEnded({ event, succeeded }: KeptNotification): boolean {
  return succeeded && ENDS.has(event)
}

const ENDS: ReadonlySet<string> = new Set(['CANCELLATION', 'TECHNICAL_CANCEL', 'EXPIRE'])

/** Waits for a buyer on a method's page, or for their bank, until the time limit is over. */
function awaitBuyer({ startedAtMs, attemptId, reference }: Query, { services: { clock } }: Place): QueryOutcome {
  const limitMs = reference === attemptId ? REDIRECT_MS : PENDING_MS
  return clock.now() - startedAtMs < limitMs ? { outcome: 'not_known_yet' } : expired(reference)
}

function expired(reference: string | null): AuthorisationOutcome {
  return declined('payment_expired', { reference })
}

/** Calls an attempt off of which nothing was told, once it is too old to be still on its way. */
async function callOff(
  { attemptId, startedAtMs }: Query,
  { modifications, merchantAccount }: AdyenClient,
  place: Place,
): Promise<QueryOutcome> {
  const ageMs = place.services.clock.now() - startedAtMs
  if (ageMs < GONE_AFTER_MS) return { outcome: 'not_known_yet' }
  const reference = `${attemptId}-cancel`
  const answers = (await notificationsAbout(reference, place)).filter(({ event }) => event === 'TECHNICAL_CANCEL')
  if (answers.some(({ succeeded }) => succeeded) || ageMs > SILENT_AFTER_MS) return { outcome: 'not_found' }
  if (answers.length > 0) return { outcome: ageMs > TOLD_WITHIN_MS ? 'not_found' : 'not_known_yet' }
  const asked = { merchantAccount, paymentReference: attemptId, reference }
  await modifications.cancelAuthorisedPayment(asked, { idempotencyKey: reference })
  return { outcome: 'not_known_yet' }
}
