import {
  type PostAuthorization,
  type PostAuthorizationOutcome,
  type PostAuthorizationRefusal,
  refused,
  unavailable,
} from '../driver.ts'
import { refusalOf } from '../processor-error.ts'
import { type AdyenAmount, adyenAmount } from './amounts.ts'
import type { AdyenClient } from './client.ts'
import { type KeptNotification, notificationsAbout, notificationsOf, type Place } from './notifications.ts'

/**
 * Captures, refunds or voids, which Adyen calls modifications. Adyen accepts every well-formed request and sends the
 * outcome in a notification. Known notifications are looked up first, so that a repetition under the same id gets their
 * outcome and requests nothing twice, even after Adyen has forgotten the key.
 */
export async function modify(
  wanted: PostAuthorization,
  client: AdyenClient,
  place: Place,
): Promise<PostAuthorizationOutcome> {
  const notified = outcomeOf(await notificationsAbout(wanted.id, place))
  if (notified !== null) return notified
  const amount = adyenAmount(wanted.amount, wanted.currency)
  if (amount === null) return refused('unsupported_amount')
  try {
    const reference = await send(wanted, amount, client)
    return outcomeOf(await notificationsOf(reference, place)) ?? { outcome: 'pending', reference }
  } catch (error) {
    return whyRefused(error)
  }
}

async function send(
  { kind, id, reference: payment }: PostAuthorization,
  amount: AdyenAmount,
  { merchantAccount, modifications }: AdyenClient,
): Promise<string> {
  const asked = { merchantAccount, reference: id }
  const options = { idempotencyKey: id }
  switch (kind) {
    case 'capture':
      return (await modifications.captureAuthorisedPayment(payment, { ...asked, amount }, options)).pspReference
    case 'refund':
      return (await modifications.refundCapturedPayment(payment, { ...asked, amount }, options)).pspReference
    case 'void':
      return (await modifications.cancelAuthorisedPaymentByPspReference(payment, asked, options)).pspReference
  }
}

/**
 * Events by which a capture or a refund has come to nothing that had been done: the scheme or the buyer's bank has sent it back.
 * Source: Adyen, "Webhook types", CAPTURE_FAILED, REFUND_FAILED and REFUNDED_REVERSED.
 */
export const UNDONE: ReadonlySet<string> = new Set(['CAPTURE_FAILED', 'REFUND_FAILED', 'REFUNDED_REVERSED'])

/** The notifications that end a modification, in order of precedence: a failure counts, whenever its success comes. */
const RESULTS = [...UNDONE, 'CAPTURE', 'REFUND', 'CANCELLATION', 'CANCEL_OR_REFUND']

/** The outcome that notifications about a modification tell; `null` where they tell none yet. */
export function outcomeOf(notifications: readonly KeptNotification[]): PostAuthorizationOutcome | null {
  for (const event of RESULTS) {
    const found = notifications.find((each) => each.event === event)
    if (found !== undefined) return outcomeOfNotification(found)
  }
  return null
}

function outcomeOfNotification({ event, reference, succeeded, told }: KeptNotification): PostAuthorizationOutcome {
  if (UNDONE.has(event)) return refused('reversed')
  return succeeded ? { outcome: 'succeeded', reference } : refused(whyFailed(told.reason))
}

/** Adyen gives the reason of a failed modification as a text. Source: Adyen, "Capture", "Refund" and "Cancel", failed. */
function whyFailed(reason: string): PostAuthorizationRefusal {
  if (/insufficient balance|exceed|too (?:high|large|much)/i.test(reason)) return 'amount_too_large'
  return /not found/i.test(reason) ? 'unknown_reference' : 'wrong_state'
}

/** Adyen's errors about a payment that it does not have. Source: Adyen, "Error codes and messages". */
const UNKNOWN_PAYMENT = ['167', '168']
const WRONG_AMOUNT = '137'

function whyRefused(error: unknown): PostAuthorizationOutcome {
  const refusal = refusalOf(error)
  if (refusal.status === 404 || refusal.has(...UNKNOWN_PAYMENT)) return refused('unknown_reference')
  if (refusal.has(WRONG_AMOUNT)) return refused('amount_too_large')
  return refusal.status === 422 ? refused('wrong_state') : unavailable(refusal.describe())
}
