import { AuthorizationStatus, type Order } from '@paypal/paypal-server-sdk'
import {
  type Capture,
  type PostAuthorization,
  type PostAuthorizationOutcome,
  type Refund,
  refused,
  unavailable,
  type Void,
} from '../driver.ts'
import { refusalOf } from '../processor-error.ts'
import { minorAmount, paypalMoney, type PayPalMoney } from './amounts.ts'
import { ask, type PayPalClient } from './client.ts'
import { captureOf } from './orders.ts'

/** A capture or a refund, as PayPal answers it. */
interface Done {
  id?: string | undefined
  status?: string | undefined
}

const ALL = 'return=representation'

/** Captures, refunds or voids. PayPal keeps their keys for 45 days, so that a repetition under the id answers the same. */
export async function modify(wanted: PostAuthorization, client: PayPalClient): Promise<PostAuthorizationOutcome> {
  try {
    const order = await ask(client.orders.getOrder({ id: wanted.reference }))
    switch (wanted.kind) {
      case 'capture':
        return await captureHold(wanted, order, client)
      case 'refund':
        return await refundCapture(wanted, order, client)
      case 'void':
        return await voidHold(wanted, order, client)
    }
  } catch (error) {
    return whyRefused(error)
  }
}

async function captureHold(
  { id, amount, currency, isFinal }: Capture,
  order: Order,
  { payments }: PayPalClient,
): Promise<PostAuthorizationOutcome> {
  const hold = order.purchaseUnits?.[0]?.payments?.authorizations?.[0]
  const money = paypalMoney(amount, currency)
  if (money === null) return refused('unsupported_amount')
  if (hold?.id === undefined) return refused('wrong_state')
  // PayPal itself would take 15 % more than was authorized.
  if (hold.status === AuthorizationStatus.Created && amount > amountOf(hold.amount)) return refused('amount_too_large')
  const body = { amount: money, invoiceId: id, finalCapture: isFinal }
  const capture = await ask(
    payments.captureAuthorizedPayment({ authorizationId: hold.id, paypalRequestId: id, prefer: ALL, body }),
  )
  return outcomeOf(capture)
}

async function refundCapture(
  { id, amount, currency }: Refund,
  order: Order,
  { payments }: PayPalClient,
): Promise<PostAuthorizationOutcome> {
  const captureId = captureOf(order.purchaseUnits?.[0])?.id
  const money = paypalMoney(amount, currency)
  if (money === null) return refused('unsupported_amount')
  if (captureId === undefined) return refused('wrong_state')
  const body = { amount: money, customId: id, invoiceId: id }
  return outcomeOf(await ask(payments.refundCapturedPayment({ captureId, paypalRequestId: id, prefer: ALL, body })))
}

async function voidHold({ id }: Void, order: Order, { payments }: PayPalClient): Promise<PostAuthorizationOutcome> {
  const authorizationId = order.purchaseUnits?.[0]?.payments?.authorizations?.[0]?.id
  if (authorizationId === undefined) return refused('wrong_state')
  await ask(payments.voidPayment({ authorizationId, paypalRequestId: id }))
  return { outcome: 'succeeded', reference: authorizationId }
}

function amountOf(money: PayPalMoney | undefined): number {
  return money === undefined ? 0 : minorAmount(money)
}

/** The outcome of a capture or a refund, by its status. */
export function outcomeOf({ id: reference = '', status }: Done): PostAuthorizationOutcome {
  switch (status) {
    case 'COMPLETED':
    case 'PARTIALLY_REFUNDED':
    case 'REFUNDED':
      return { outcome: 'succeeded', reference }
    case 'PENDING':
      return { outcome: 'pending', reference }
    case 'DECLINED':
    case 'FAILED':
    case 'CANCELLED':
      return refused('reversed')
    case undefined:
    default:
      return refused('wrong_state')
  }
}

/** Source: PayPal, Payments API v2, "Errors". */
const TOO_LARGE = ['MAX_CAPTURE_AMOUNT_EXCEEDED', 'REFUND_AMOUNT_EXCEEDED', 'REFUND_CAPTURE_CURRENCY_MISMATCH']
const UNPROCESSABLE = 422
const NOT_FOUND = 404

function whyRefused(error: unknown): PostAuthorizationOutcome {
  const refusal = refusalOf(error)
  if (refusal.status === NOT_FOUND) return refused('unknown_reference')
  if (refusal.has(...TOO_LARGE)) return refused('amount_too_large')
  return refusal.status === UNPROCESSABLE ? refused('wrong_state') : unavailable(refusal.describe())
}
