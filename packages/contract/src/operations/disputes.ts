import { z } from 'zod'
import { exampleId, referenceTo } from '../ids.ts'
import { amountBetween, createdBetween, howToList, listOf, ofResource, searchFor } from '../lists.ts'
import type { Operation } from '../operation.ts'
import {
  dispute,
  disputeEvidence,
  disputeKind,
  disputeStatus,
  simulatedDispute,
  simulatedOutcome,
} from '../resources/disputes.ts'

const ofDispute = z.object({ disputeId: referenceTo('dispute', 'The id of the dispute.') })

/** Not in the reference. Processors open and decide disputes; outside production a caller can simulate both. */
export const disputes = {
  get: {
    method: 'GET',
    path: '/api/payments/v1/disputes/{disputeId}',
    audience: 'key',
    scope: 'payments:read',
    summary: 'Read a dispute',
    description: 'A payment lists its disputes.',
    params: ofDispute,
    status: 200,
    response: dispute,
    errors: ['resource_missing'],
  },
  list: {
    method: 'GET',
    path: '/api/payments/v1/disputes',
    audience: 'key',
    scope: 'payments:read',
    summary: 'List disputes',
    description: howToList,
    ...listOf(dispute, {
      status: disputeStatus.optional().meta({ description: 'Only disputes of this status.', examples: ['open'] }),
      kind: disputeKind.optional().meta({ description: 'Only disputes of this kind.', examples: ['chargeback'] }),
      storeId: ofResource('store', 'Only disputes of this store.'),
      paymentId: ofResource('payment', 'Only disputes of this payment.'),
      ...createdBetween,
      ...amountBetween,
      q: searchFor('the beginning of the id of a dispute or a payment', exampleId('dispute')),
    }),
    status: 200,
    errors: ['currency_unsupported'],
  },
  submitEvidence: {
    method: 'POST',
    path: '/api/payments/v1/disputes/{disputeId}/evidence',
    audience: 'key',
    scope: 'payments:write',
    summary: 'Submit evidence for a dispute',
    description:
      'Sends what speaks for the payment to the bank, through the processor. It is final: most banks read what they are sent first, so send all at once. Returns 409 for a dispute that is decided, whose time is over, or whose processor takes no evidence here; answer it in the processor’s own dashboard then.',
    params: ofDispute,
    body: disputeEvidence,
    status: 200,
    response: dispute,
    errors: ['resource_missing', 'state_conflict', 'upstream_failed'],
    emits: ['s_dispute_evidence_submitted'],
    idempotent: 'lease',
  },
  simulate: {
    method: 'POST',
    path: '/api/payments/v1/payments/{paymentId}/simulate-dispute',
    audience: 'key',
    scope: 'payments:write',
    summary: 'Simulate a dispute (not in production)',
    description:
      'Card 4000 0000 0000 0259 is disputed as fraudulent a few seconds after it is charged, and 4000 0000 0000 1976 receives an inquiry. Returns 404 in production.',
    params: z.object({ paymentId: referenceTo('payment', 'The captured payment to dispute.') }),
    body: simulatedDispute,
    status: 201,
    response: dispute,
    errors: ['resource_missing', 'route_not_found', 'amount_invalid', 'state_conflict'],
    emits: ['s_dispute_opened'],
    idempotent: 'transaction',
  },
  simulateOutcome: {
    method: 'POST',
    path: '/api/payments/v1/disputes/{disputeId}/simulate-outcome',
    audience: 'key',
    scope: 'payments:write',
    summary: 'Simulate the outcome of a dispute (not in production)',
    description: 'The money of a lost dispute is gone for good. Returns 404 in production.',
    params: ofDispute,
    body: simulatedOutcome,
    status: 200,
    response: dispute,
    errors: ['resource_missing', 'route_not_found', 'state_conflict'],
    emits: ['s_dispute_won', 's_dispute_lost'],
    idempotent: 'transaction',
  },
} as const satisfies Record<string, Operation>
