import { z } from 'zod'
import { idOf } from '../ids.ts'
import { amount, positiveAmount } from '../money.ts'
import { label, timestamp } from '../text.ts'

/** The status of a dispute. Terminal: won, lost. */
export const disputeStatus = z.enum(['open', 'won', 'lost'])
export type DisputeStatus = z.infer<typeof disputeStatus>

/** Whether the money is withheld while the case is open, or the bank only asks first. */
export const disputeKind = z.enum(['chargeback', 'inquiry'])
export type DisputeKind = z.infer<typeof disputeKind>

const kindMeta = {
  description:
    '`chargeback`: the processor withholds the money until the dispute is won. `inquiry`: the bank only asks, and the ' +
    'money is withdrawn if the dispute is lost.',
  examples: ['chargeback'],
}

/** A dispute of a captured payment by its cardholder. */
export const dispute = z
  .object({
    id: idOf('dispute', 'The id of the dispute.'),
    accountId: idOf('account', 'The account that the dispute belongs to.'),
    storeId: idOf('store', 'The store of the payment.'),
    paymentId: idOf('payment', 'The disputed payment.'),
    orderId: idOf('order', 'The order of the payment.'),
    customerId: idOf('customer', 'The customer who has paid.'),
    kind: disputeKind.meta(kindMeta),
    status: disputeStatus.meta({ description: 'The status of the dispute.', examples: ['open'] }),
    reason: z
      .string()
      .meta({ description: 'The cardholder’s reason, as reported by the processor.', examples: ['fraudulent'] }),
    amount: amount.meta({ description: 'The disputed amount, in minor units of `currency`. It cannot be refunded.' }),
    currency: z.string().meta({ description: 'Upper-case ISO 4217 code.', examples: ['USD'] }),
    respondBy: timestamp.nullable().meta({
      description: 'Until when the processor takes evidence; null where it has set no time.',
      examples: ['2026-12-04T09:30:00.000Z'],
    }),
    createdAt: timestamp.meta({ description: 'When the dispute was opened.' }),
    closedAt: timestamp.nullable().meta({ description: 'When the dispute was won or lost; null before that.' }),
  })
  .meta({ id: 'Dispute', description: 'A dispute of a captured payment by its cardholder.' })
export type Dispute = z.infer<typeof dispute>

/** How long a simulated bank waits for evidence: a time like those of the networks. */
export const SIMULATED_DISPUTE_MS = 10 * 24 * 60 * 60 * 1_000

/** The body of `POST /api/payments/v1/payments/{paymentId}/simulate-dispute`. */
export const simulatedDispute = z.object({
  kind: disputeKind.default('chargeback').meta(kindMeta),
  amount: positiveAmount.optional().meta({
    description:
      'The disputed amount, in minor units of the payment’s currency, at most the captured amount less refunds and other ' +
      'disputes; all of that by default.',
    examples: [1_500],
  }),
  reason: label
    .min(1)
    .default('fraudulent')
    .meta({ description: 'The cardholder’s reason.', examples: ['product_not_received'] }),
})
export type SimulatedDispute = z.output<typeof simulatedDispute>

/** The body of `POST /api/payments/v1/disputes/{disputeId}/simulate-outcome`. */
export const simulatedOutcome = z.object({
  outcome: z.enum(['won', 'lost']).meta({ description: 'The bank’s decision.', examples: ['won'] }),
})
