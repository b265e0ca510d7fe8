import { z } from 'zod'
import { idOf } from '../ids.ts'
import { amount, positiveAmount } from '../money.ts'
import { label, timestamp } from '../text.ts'

/** The status of a dispute. What is `won` or `lost` may be decided anew, and never opens again. */
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
    status: disputeStatus.meta({
      description:
        'The status of the dispute. The bank may decide anew: a second chargeback takes what was `won`, an appeal gives back what was `lost`.',
      examples: ['open'],
    }),
    reason: z
      .string()
      .meta({ description: 'The cardholder’s reason, as reported by the processor.', examples: ['fraudulent'] }),
    amount: amount.meta({
      description:
        'The disputed amount, in minor units of `currency`; once it is lost, what was taken of that. It cannot be refunded.',
    }),
    currency: z.string().meta({ description: 'Upper-case ISO 4217 code.', examples: ['USD'] }),
    respondBy: timestamp.nullable().meta({
      description: 'Until when the processor takes evidence; null where it has set no time.',
      examples: ['2026-12-04T09:30:00.000Z'],
    }),
    evidenceSubmittedAt: timestamp.nullable().meta({
      description: 'When evidence was last submitted through this API; null before that.',
      examples: [null],
    }),
    createdAt: timestamp.meta({ description: 'When the dispute was opened.' }),
    closedAt: timestamp.nullable().meta({ description: 'When the dispute was won or lost last; null before that.' }),
  })
  .meta({ id: 'Dispute', description: 'A dispute of a captured payment by its cardholder.' })
export type Dispute = z.infer<typeof dispute>

/** The longest text of evidence, in characters. Source: Stripe, "The Dispute object", evidence. */
export const EVIDENCE_TEXT_MAX_CHARS = 20_000

const evidenceText = (description: string, example: string) =>
  z
    .string()
    .trim()
    .min(1)
    .max(EVIDENCE_TEXT_MAX_CHARS)
    .optional()
    .meta({ description, examples: [example] })

/** The body of `POST /api/payments/v1/disputes/{disputeId}/evidence`: what speaks for the merchant, in texts. */
export const disputeEvidence = z
  .strictObject({
    productDescription: evidenceText('Goods or service that was sold.', 'A pair of wool socks, size 42'),
    customerName: evidenceText('The name of the buyer.', 'Ada Lovelace'),
    customerEmail: evidenceText('The e-mail address of the buyer.', 'ada@example.com'),
    customerPurchaseIp: evidenceText('The public IP address that the order came from.', '203.0.113.7'),
    billingAddress: evidenceText('The billing address, as the buyer has given it.', '12 St James Square, London'),
    shippingAddress: evidenceText('Where the goods went.', '12 St James Square, London'),
    shippingCarrier: evidenceText('Who delivered them.', 'DHL'),
    shippingTrackingNumber: evidenceText('The number of the parcel.', 'JJD000390007'),
    shippingDate: evidenceText('When they left, in words a bank reads.', '2 November 2026'),
    serviceDate: evidenceText('When a service was rendered.', '2 November 2026'),
    refundPolicyDisclosure: evidenceText('How the buyer was shown the refund policy.', 'Linked above the button'),
    refundRefusalExplanation: evidenceText('Why there was no refund.', 'Nothing was sent back'),
    cancellationPolicyDisclosure: evidenceText('How the buyer was shown how to cancel.', 'In the order mail'),
    cancellationRebuttal: evidenceText('Why the subscription was not cancelled.', 'No cancellation arrived'),
    accessActivityLog: evidenceText('When and from where a digital product was used.', '2026-11-02 10:04 203.0.113.7'),
    uncategorizedText: evidenceText(
      'Anything else that speaks for the payment.',
      'The buyer wrote that it had arrived.',
    ),
  })
  .refine((evidence) => Object.values(evidence).some((text) => text !== undefined), {
    error: 'must have at least one field: send what speaks for the payment',
  })
export type DisputeEvidence = z.output<typeof disputeEvidence>

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
