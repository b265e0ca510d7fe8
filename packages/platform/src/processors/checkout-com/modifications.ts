import {
  type PostAuthorization,
  type PostAuthorizationOutcome,
  type PostAuthorizationRefusal,
  refused,
  unavailable,
} from '../driver.ts'
import { refusalOf } from '../processor-error.ts'
import { repeatUnderKey } from '../repeat-under-key.ts'
import { checkoutAmounts } from './amounts.ts'
import { accepted, type CheckoutActions, checkoutActions, checkoutPayment, type CheckoutPayment } from './answers.ts'
import { ask, type CheckoutClient } from './client.ts'

/**
 * Captures, refunds or voids. Checkout.com accepts a request and executes it right afterwards; its outcome is in the
 * action that has our id as its reference. That is looked for first, because keys are forgotten after a day.
 */
export async function modify(wanted: PostAuthorization, client: CheckoutClient): Promise<PostAuthorizationOutcome> {
  const { id, reference } = wanted
  const amount = checkoutAmounts.write(wanted.amount, wanted.currency)
  if (amount === null) return refused('unsupported_amount')
  try {
    const outcome = actionOutcome(await actionsOf(reference, client), id)
    if (outcome !== null) return outcome
    const action = await repeatUnderKey(() => ask(send(wanted, amount, client), accepted))
    return actionOutcome(await actionsOf(reference, client), id) ?? { outcome: 'pending', reference: action.action_id }
  } catch (error) {
    return whyRefused(error, { wanted, amount }, client)
  }
}

function actionsOf(paymentId: string, client: CheckoutClient): Promise<CheckoutActions> {
  return ask(client.payments.getActions(paymentId), checkoutActions)
}

/** The outcome of the action with our id as its reference; `null` if there is none, or none yet. */
export function actionOutcome(actions: CheckoutActions, id: string): PostAuthorizationOutcome | null {
  const action = actions.find(({ reference }) => reference === id)
  if (action?.approved == null) return null
  return action.approved ? { outcome: 'succeeded', reference: action.id } : refused('wrong_state')
}

function send(wanted: PostAuthorization, amount: number, { payments }: CheckoutClient): Promise<unknown> {
  const { kind, id, reference } = wanted
  switch (kind) {
    case 'capture': {
      const type = wanted.isFinal ? 'Final' : 'NonFinal'
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
  wanted: PostAuthorization
  /** As Checkout.com writes it. */
  amount: number
}

async function whyRefused(error: unknown, sent: Sent, client: CheckoutClient): Promise<PostAuthorizationOutcome> {
  const refusal = refusalOf(error)
  if (refusal.status === NOT_FOUND) return refused('unknown_reference')
  if (!REFUSED.has(refusal.status)) return unavailable(refusal.describe())
  return refused(reckoned(sent, await ask(client.payments.get(sent.wanted.reference), checkoutPayment)))
}

/** Why Checkout.com refuses: reckoned from the payment, because a 403 does not say. */
function reckoned({ wanted: { kind }, amount }: Sent, { balances }: CheckoutPayment): PostAuthorizationRefusal {
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
