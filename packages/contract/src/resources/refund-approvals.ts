import { z } from 'zod'
import { idOf } from '../ids.ts'
import { amount, currency, positiveAmount } from '../money.ts'
import { timestamp } from '../text.ts'
import { callerName } from './audit.ts'
import { payment } from './payments.ts'

/** The status of a request for a refund. Terminal: approved, declined, expired. */
export const refundRequestStatus = z.enum(['pending', 'approved', 'declined', 'expired'])

/** A refund that waits for a second person. */
export const refundRequest = z
  .object({
    id: idOf('refundRequest', 'The id of the request.'),
    accountId: idOf('account', 'The account.'),
    storeId: idOf('store', 'The store of the payment.'),
    paymentId: idOf('payment', 'The payment that is to be refunded.'),
    amount: amount.meta({ description: 'The amount to refund, in minor units of `currency`.' }),
    currency: z.string().meta({ description: 'The payment’s currency: upper-case ISO 4217 code.', examples: ['USD'] }),
    reason: z
      .string()
      .nullable()
      .meta({ description: 'The reason in the requester’s words; null if none was given.', examples: ['Torn'] }),
    status: refundRequestStatus.meta({
      description: 'The status. `approved`: the refund `refundId` was begun. `expired`: nobody had decided it in time.',
      examples: ['pending'],
    }),
    requestedBy: z.string().meta({
      description: 'The member, or the API key, that has requested it.',
      examples: ['mem_0VbVJmlc4sQm9ZtKcWfH2d'],
    }),
    requestedByName: callerName,
    decidedBy: idOf('member', 'The member who has approved or declined it; null before that.').nullable(),
    decidedByName: z
      .string()
      .nullable()
      .meta({
        description: 'The name or e-mail address of that member; null before, and for who may not read members.',
        examples: [null],
      }),
    refundId: idOf('refund', 'The refund; null before the approval.').nullable(),
    approval: z.string().meta({
      description: 'Who may approve it, for people.',
      examples: ['Another member with the role owner or operations has to approve it.'],
    }),
    createdAt: timestamp.meta({ description: 'When it was requested.' }),
    expiresAt: timestamp.meta({
      description: 'From this time on it cannot be approved.',
      examples: ['2026-11-27T09:30:00.000Z'],
    }),
    decidedAt: timestamp.nullable().meta({ description: 'When it was decided; null before that.', examples: [null] }),
  })
  .meta({ id: 'RefundRequest', description: 'A refund above the account’s limit, which waits for a second person.' })
export type RefundRequest = z.infer<typeof refundRequest>

const { id: refundRequestId, paymentId, amount: requested, currency: paidIn, requestedBy } = refundRequest.shape
const ofRequest = { refundRequestId, paymentId, amount: requested, currency: paidIn, requestedBy }

/** Event types of refunds that wait for a second person: part of `eventTypes`. */
export const refundRequestEvents = {
  s_refund_request_created: z
    .object({ ...ofRequest, expiresAt: refundRequest.shape.expiresAt })
    .meta({ description: 'A refund above the account’s limit was requested; it waits for a second person.' }),
  s_refund_request_approved: z
    .object({
      ...ofRequest,
      decidedBy: idOf('member', 'The member who has approved it.'),
      refundId: idOf('refund', 'The refund that was begun.'),
    })
    .meta({ description: 'A second person approved a refund. Whether it succeeds is told by `s_payment_refunded`.' }),
  s_refund_request_declined: z
    .object({ ...ofRequest, decidedBy: idOf('member', 'The member who has declined it.') })
    .meta({ description: 'A requested refund was declined.' }),
  s_refund_request_expired: z
    .object(ofRequest)
    .meta({ description: 'Nobody decided a requested refund in time; it cannot be approved any more.' }),
} as const

/** A payment that was refunded, or whose refund waits. */
export const refundedPayment = payment
  .extend({
    refundRequest: refundRequest.optional().meta({
      description:
        'Present where the refund is above the account’s limit: nothing is refunded yet, and this request waits for a second person.',
    }),
  })
  .meta({ id: 'RefundedPayment', description: 'A payment after a refund, with the request if the refund has to wait.' })

/** The limits above which a refund needs a second person. */
export const refundLimits = z
  .object({
    data: z
      .array(
        z.object({
          currency: z.string().meta({ description: 'Upper-case ISO 4217 code.', examples: ['USD'] }),
          amount: amount.meta({
            description: 'Largest total of all refunds of one payment without a second person, in minor units.',
            examples: [50_000],
          }),
        }),
      )
      .meta({ description: 'One limit per currency; refunds in other currencies have none.' }),
  })
  .meta({ id: 'RefundLimits', description: 'The limits above which a refund needs a second person.' })

/** The body of `POST /api/payments/v1/refund-limits/set`. */
export const newRefundLimit = z
  .object({
    currency,
    amount: positiveAmount.nullable().meta({
      description:
        'Largest total of all refunds of one payment without a second person, in minor units; null for no limit.',
      examples: [50_000],
    }),
  })
  .meta({ id: 'NewRefundLimit', description: 'The limit of a currency.' })
