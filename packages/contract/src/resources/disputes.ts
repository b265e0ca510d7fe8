import { z } from 'zod'
import { idOf } from '../ids.ts'
import { amount, positiveAmount } from '../money.ts'
import { label, timestamp } from '../text.ts'

/** Where a dispute stands. Terminal: won, lost. */
export const disputeStatus = z.enum(['open', 'won', 'lost'])
export type DisputeStatus = z.infer<typeof disputeStatus>

/** What a cardholder's bank does: take the money while the case is open, or ask first. */
export const disputeKind = z.enum(['chargeback', 'inquiry'])
export type DisputeKind = z.infer<typeof disputeKind>

const kindMeta = {
  description:
    '`chargeback`: the processor withholds the money until the dispute is won. `inquiry`: the bank only asks, and the ' +
    'money goes when the dispute is lost.',
  examples: ['chargeback'],
}

/** A captured payment that its cardholder disputes. */
export const dispute = z
  .object({
    id: idOf('dispute', 'The id of the dispute.'),
    accountId: idOf('account', 'The account that the dispute belongs to.'),
    paymentId: idOf('payment', 'The payment that is disputed.'),
    kind: disputeKind.meta(kindMeta),
    status: disputeStatus.meta({ description: 'Where the dispute stands.', examples: ['open'] }),
    reason: z
      .string()
      .meta({ description: 'Why the cardholder disputes, as the processor says it.', examples: ['fraudulent'] }),
    amount: amount.meta({ description: 'What is disputed, in minor units of `currency`; it cannot be refunded.' }),
    currency: z.string().meta({ description: 'Upper-case ISO 4217 code.', examples: ['USD'] }),
    createdAt: timestamp.meta({ description: 'When the dispute was opened.' }),
    closedAt: timestamp.nullable().meta({ description: 'When it was won or lost; null until then.' }),
  })
  .meta({ id: 'Dispute', description: 'A captured payment that its cardholder disputes.' })
export type Dispute = z.infer<typeof dispute>

/** The body of `POST /api/payments/v1/payments/{paymentId}/simulate-dispute`. */
export const simulatedDispute = z.object({
  kind: disputeKind.default('chargeback').meta(kindMeta),
  amount: positiveAmount.optional().meta({
    description:
      'What is disputed, in minor units of the payment’s currency, at most what was captured, less refunds and other ' +
      'disputes; all of that unless given.',
    examples: [1_500],
  }),
  reason: label
    .min(1)
    .default('fraudulent')
    .meta({ description: 'Why the cardholder disputes.', examples: ['product_not_received'] }),
})
export type SimulatedDispute = z.output<typeof simulatedDispute>

/** The body of `POST /api/payments/v1/disputes/{disputeId}/simulate-outcome`. */
export const simulatedOutcome = z.object({
  outcome: z.enum(['won', 'lost']).meta({ description: 'How the bank decides.', examples: ['won'] }),
})
