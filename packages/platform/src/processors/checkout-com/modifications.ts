import type { Capture, PostAuthorizationOutcome, PostAuthorizationRefusal, Refund, Void } from '../driver.ts'
import { checkoutAmount } from './amounts.ts'
import { accepted, type CheckoutActions, checkoutActions, checkoutPayment, type CheckoutPayment } from './answers.ts'
import { ask, askRepeatedly, type CheckoutClient, CheckoutError } from './client.ts'

/** What Checkout.com is asked to do with a payment. */
export type Modification =
  | ({ kind: 'capture' } & Capture)
  | ({ kind: 'refund' } & Refund)
  | ({ kind: 'void'; amount: 0; currency: '' } & Void)

/**
 * Captures, refunds or voids. Checkout.com accepts what it is asked for and does it right afterwards; the action, which
 * has our id as its reference, tells what came of it. It is looked for first, because keys are forgotten after a day.
 */
export async function modify(modification: Modification, client: CheckoutClient): Promise<PostAuthorizationOutcome> {
  const { id, reference } = modification
  const amount = checkoutAmount(modification.amount, modification.currency)
  if (amount === null) return refused('unsupported_amount')
  try {
    const told = actionOutcome(await actionsOf(reference, client), id)
    if (told !== null) return told
    const action = await askRepeatedly(() => ask(send(modification, amount, client), accepted))
    return actionOutcome(await actionsOf(reference, client), id) ?? { outcome: 'pending', reference: action.action_id }
  } catch (error) {
    return refused(await whyRefused(error, { modification, amount }, client))
  }
}

function actionsOf(paymentId: string, client: CheckoutClient): Promise<CheckoutActions> {
  return ask(client.payments.getActions(paymentId), checkoutActions)
}

/** What came of the action with an id of ours; `null` while there is none, or it is not decided. */
export function actionOutcome(actions: CheckoutActions, id: string): PostAuthorizationOutcome | null {
  const action = actions.find(({ reference }) => reference === id)
  if (action?.approved == null) return null
  return action.approved ? { outcome: 'succeeded', reference: action.id } : refused('wrong_state')
}

function send(modification: Modification, amount: number, { payments }: CheckoutClient): Promise<unknown> {
  const { kind, id, reference } = modification
  switch (kind) {
    case 'capture': {
      const type = modification.isFinal ? 'Final' : 'NonFinal'
      return payments.capture(reference, { amount, capture_type: type, reference: id }, id)
    }
    case 'refund':
      return payments.refund(reference, { amount, reference: id }, id)
    case 'void':
      return payments.void(reference, { reference: id }, id)
  }
}

const NOT_FOUND = 404
/** The request was understood, and refused for what it asks. */
const REFUSED: ReadonlySet<number | null> = new Set([403, 422])

interface Sent {
  modification: Modification
  /** As Checkout.com writes it. */
  amount: number
}

async function whyRefused(error: unknown, sent: Sent, client: CheckoutClient): Promise<PostAuthorizationRefusal> {
  if (!(error instanceof CheckoutError) || error.isUncertain) throw error
  if (error.status === NOT_FOUND) return 'unknown_reference'
  if (!REFUSED.has(error.status)) return 'unavailable'
  return reckoned(sent, await ask(client.payments.get(sent.modification.reference), checkoutPayment))
}

/** Why Checkout.com refuses: reckoned from the payment, because a 403 does not say. */
function reckoned({ modification: { kind }, amount }: Sent, { balances }: CheckoutPayment): PostAuthorizationRefusal {
  const { available_to_capture: open = 0, available_to_refund: refundable = 0 } = balances ?? {}
  switch (kind) {
    case 'capture':
      return open > 0 && amount > open ? 'amount_too_large' : 'wrong_state'
    case 'refund':
      return (balances?.total_captured ?? 0) > 0 && amount > refundable ? 'amount_too_large' : 'wrong_state'
    case 'void':
      return 'wrong_state'
  }
}

function refused(reason: PostAuthorizationRefusal): PostAuthorizationOutcome {
  return { outcome: 'refused', reason }
}
