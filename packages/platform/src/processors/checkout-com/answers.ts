import type { AttemptChecks, CheckResult } from '@tillwright/contract'
import { z } from 'zod'
import type { CardUpdate } from '../authorisation.ts'

/** Where a payment stands. Source: Checkout.com, "Payment status". */
const status = z.enum([
  'Active',
  'Requested',
  'Pending',
  'Authorized',
  'Card Verified',
  'Voided',
  'Partially Captured',
  'Captured',
  'Partially Refunded',
  'Refunded',
  'Declined',
  'Canceled',
  'Expired',
  'Paid',
])

/** A payment, as it is answered when it is made and when it is asked for. */
export const checkoutPayment = z.object({
  id: z.string(),
  amount: z.number(),
  currency: z.string(),
  status,
  reference: z.string().nullish(),
  response_code: z.string().nullish(),
  scheme_id: z.string().nullish(),
  source: z
    .object({
      avs_check: z.string().nullish(),
      cvv_check: z.string().nullish(),
      account_update_status: z.string().nullish(),
      /** Of the card that was charged; asterisks where the account is not shown them. */
      last4: z.string().nullish(),
      expiry_month: z.union([z.number(), z.string()]).nullish(),
      expiry_year: z.union([z.number(), z.string()]).nullish(),
    })
    .nullish(),
  processing: z.object({ partner_merchant_advice_code: z.string().nullish() }).nullish(),
  /** The exemption with which it was authorised, or `none`. A payment has it when it is asked for, not when it is made. */
  '3ds': z.object({ exemption_applied: z.string().nullish() }).nullish(),
  balances: z
    .object({
      total_authorized: z.number().default(0),
      total_captured: z.number().default(0),
      available_to_capture: z.number().default(0),
      available_to_refund: z.number().default(0),
      available_to_void: z.number().default(0),
    })
    .nullish(),
})
export type CheckoutPayment = z.output<typeof checkoutPayment>

export const checkoutPayments = z.object({ data: z.array(checkoutPayment).default([]) })

/** The actions of a payment, latest first. */
export const checkoutActions = z.array(
  z.object({
    id: z.string(),
    type: z.string(),
    amount: z.number().default(0),
    approved: z.boolean().nullish(),
    response_code: z.string().nullish(),
    reference: z.string().nullish(),
    processing: z.object({ partner_merchant_advice_code: z.string().nullish() }).nullish(),
  }),
)
export type CheckoutActions = z.output<typeof checkoutActions>

/** The answer to a capture, a refund or a void. */
export const accepted = z.object({ action_id: z.string() })

/** A dispute. Source: Checkout.com, "Get dispute details". */
export const checkoutDispute = z.object({
  id: z.string(),
  category: z.string().nullish(),
  amount: z.number(),
  currency: z.string(),
  status: z.string(),
  evidence_required_by: z.string().nullish(),
  payment: z.object({ id: z.string() }),
})

/** `null` where the issuer was not asked for any. */
export function checksOf({ source }: CheckoutPayment): AttemptChecks | null {
  const { avs_check: avs, cvv_check: cvv } = source ?? {}
  if (avs == null && cvv == null) return null
  const [addressLine, postalCode] = avsResults[avs ?? ''] ?? ['unchecked', 'unchecked']
  return { cvc: cvvResults[cvv ?? ''] ?? 'unchecked', postalCode, addressLine }
}

/** A card as it is now. */
const present = z.object({
  expiry_month: z.coerce.number().int().min(1).max(12),
  expiry_year: z.coerce.number().int().min(2_000).max(2_999),
  last4: z.string().regex(/^\d{4}$/),
})

/**
 * The update of a card by its network's account updater. Source: Checkout.com, "Real-Time Account Updater":
 * `account_update_status`; the other details are those of the card as it is now.
 */
export function cardUpdateOf({ source }: CheckoutPayment): { cardUpdate?: CardUpdate } {
  const update = source?.account_update_status
  if (update !== 'card_expiry_updated' && update !== 'card_updated') return {}
  const read = present.safeParse(source)
  if (!read.success) return {}
  const { expiry_month: expMonth, expiry_year: expYear, last4 } = read.data
  return { cardUpdate: { expMonth, expYear, newLast4: update === 'card_updated' ? last4 : null } }
}

/** Whether the account of the card was closed, which says more than what its issuer has declined a payment for. */
export function isClosedAccount({ source }: CheckoutPayment): boolean {
  return source?.account_update_status === 'card_closed'
}

/** Source: Checkout.com, "CVV response codes". */
const cvvResults: Readonly<Record<string, CheckResult>> = {
  Y: 'pass',
  D: 'pass',
  N: 'fail',
  X: 'unavailable',
  U: 'unavailable',
  P: 'unchecked',
}

/** Street and postal code. Source: Checkout.com, "AVS codes", which are those of the schemes. */
const avsResults: Readonly<Record<string, readonly [CheckResult, CheckResult]>> = {
  A: ['pass', 'fail'],
  B: ['pass', 'unavailable'],
  C: ['fail', 'fail'],
  D: ['pass', 'pass'],
  E: ['unavailable', 'unavailable'],
  F: ['pass', 'pass'],
  G: ['unavailable', 'unavailable'],
  I: ['unavailable', 'unavailable'],
  M: ['pass', 'pass'],
  N: ['fail', 'fail'],
  P: ['unavailable', 'pass'],
  R: ['unavailable', 'unavailable'],
  S: ['unavailable', 'unavailable'],
  U: ['unavailable', 'unavailable'],
  W: ['fail', 'pass'],
  X: ['pass', 'pass'],
  Y: ['pass', 'pass'],
  Z: ['fail', 'pass'],
}
