import {
  type AuthorizationStatus,
  type CaptureStatus,
  CheckoutPaymentIntent,
  type Order,
  type OrderAuthorizeResponse,
  type OrderRequest,
  type OrdersCapture,
  PayeePaymentMethodPreference,
  PaypalExperienceUserAction,
  PaypalWalletContextShippingPreference,
  type PurchaseUnit,
} from '@paypal/paypal-server-sdk'
import type { Approved, AttemptFacts, AuthorisationOutcome } from '../authorisation.ts'
import { minorAmount, type PayPalMoney } from './amounts.ts'
import { paypalDecline } from './declines.ts'

const HOUR_MS = 60 * 60 * 1_000
/**
 * How long a buyer has to approve an order; later approvals are not captured. PayPal itself would wait for three hours.
 */
export const APPROVED_WITHIN_MS = HOUR_MS
/** How long PayPal may hold a payment, as for a bank transfer or a review. */
const HELD_WITHIN_MS = 15 * 24 * HOUR_MS

/** The buyer's return address, and their details for PayPal. */
export interface Leaving {
  returnUrl: string
  email: string | null
  orderId: string
}

/** The order of an attempt. PayPal lets no two be paid with one `invoice_id`. */
export function orderOf(
  facts: AttemptFacts,
  amount: PayPalMoney,
  { returnUrl, email, orderId }: Leaving,
): OrderRequest {
  const { attemptId, capture, descriptor } = facts
  return {
    intent: capture === 'now' ? CheckoutPaymentIntent.Capture : CheckoutPaymentIntent.Authorize,
    purchaseUnits: [
      {
        amount,
        customId: attemptId,
        invoiceId: attemptId,
        description: orderId,
        ...(descriptor !== null && { softDescriptor: descriptor }),
      },
    ],
    paymentSource: {
      paypal: {
        ...(email !== null && { emailAddress: email }),
        experienceContext: {
          returnUrl,
          cancelUrl: returnUrl,
          userAction: PaypalExperienceUserAction.PayNow,
          shippingPreference: PaypalWalletContextShippingPreference.NoShipping,
          paymentMethodPreference: PayeePaymentMethodPreference.ImmediatePaymentRequired,
        },
      },
    },
  }
}

/** The redirect to an order's page at PayPal. */
export function redirectTo({ id, links }: Order, { startedAtMs }: AttemptFacts): AuthorisationOutcome {
  const url = links?.find(({ rel }) => rel === 'payer-action' || rel === 'approve')?.href
  if (id === undefined || url === undefined) throw new Error(`PayPal leads the buyer of order ${id ?? ''} nowhere.`)
  return { outcome: 'redirect', reference: id, url, expiresAtMs: startedAtMs + APPROVED_WITHIN_MS }
}

/** The outcome of an order after its buyer has approved it; `null` if nothing of it was captured or authorized. */
export function outcomeOfPaid(
  { id: reference = '', purchaseUnits }: Order | OrderAuthorizeResponse,
  { capture, startedAtMs }: AttemptFacts,
): AuthorisationOutcome | { outcome: 'not_found' } | null {
  const expiresAtMs = startedAtMs + HELD_WITHIN_MS
  const unit = purchaseUnits?.[0]
  return capture === 'now'
    ? outcomeOfCapture(unit, { reference, expiresAtMs })
    : outcomeOfHold(unit, { reference, expiresAtMs })
}

interface Answered {
  reference: string
  expiresAtMs: number
}

function outcomeOfCapture(
  unit: PurchaseUnit | undefined,
  { reference, expiresAtMs }: Answered,
): AuthorisationOutcome | null {
  const capture = captureOf(unit)
  const status: `${CaptureStatus}` | undefined = capture?.status
  if (capture === undefined || status === undefined) return null
  switch (status) {
    case 'COMPLETED':
    case 'PARTIALLY_REFUNDED':
    case 'REFUNDED': {
      const fee = capture.sellerReceivableBreakdown?.paypalFee
      return {
        outcome: 'succeeded',
        reference,
        ...(fee !== undefined && { fee: { amount: minorAmount(fee), currency: fee.currencyCode } }),
      }
    }
    case 'PENDING':
      return { outcome: 'pending', reference, expiresAtMs }
    case 'DECLINED':
    case 'FAILED': {
      const { responseCode, paymentAdviceCode: advice = null } = capture.processorResponse ?? {}
      return paypalDecline([responseCode, capture.statusDetails?.reason], { reference, advice })
    }
  }
}

/** The capture of an order: one that was declined stays in it, beside the one that was made then. */
export function captureOf(unit: PurchaseUnit | undefined): OrdersCapture | undefined {
  const captures = unit?.payments?.captures ?? []
  return captures.find(({ status }) => !REFUSED.has(status ?? '')) ?? captures[0]
}

const REFUSED: ReadonlySet<string> = new Set(['DECLINED', 'FAILED'])

/** Statuses of captures whose money was taken. */
const TAKEN: ReadonlySet<string> = new Set(['COMPLETED', 'PARTIALLY_REFUNDED', 'REFUNDED'])

/** A hold is open until its last capture was made. */
function outcomeOfCaptured(unit: PurchaseUnit | undefined, reference: string): Approved {
  const taken = unit?.payments?.captures?.filter(({ status }) => TAKEN.has(status ?? '')) ?? []
  if (!taken.some(({ finalCapture }) => finalCapture === true)) return { outcome: 'authorized', reference }
  const amounts = taken.flatMap(({ amount }) => (amount === undefined ? [] : [minorAmount(amount)]))
  return { outcome: 'succeeded', reference, captured: amounts.reduce((sum, amount) => sum + amount, 0) }
}

function outcomeOfHold(
  unit: PurchaseUnit | undefined,
  { reference, expiresAtMs }: Answered,
): AuthorisationOutcome | { outcome: 'not_found' } | null {
  const authorization = unit?.payments?.authorizations?.[0]
  const status: `${AuthorizationStatus}` | undefined = authorization?.status
  if (authorization === undefined || status === undefined) return null
  switch (status) {
    case 'CREATED':
      return { outcome: 'authorized', reference }
    case 'CAPTURED':
    case 'PARTIALLY_CAPTURED':
      return outcomeOfCaptured(unit, reference)
    case 'PENDING':
      return { outcome: 'pending', reference, expiresAtMs }
    case 'DENIED': {
      const { responseCode, paymentAdviceCode: advice = null } = authorization.processorResponse ?? {}
      return paypalDecline([responseCode], { reference, advice })
    }
    case 'VOIDED':
      return { outcome: 'not_found' }
  }
}
