import { z } from 'zod'
import { referenceTo } from '../ids.ts'
import type { Operation } from '../operation.ts'
import { dispute, simulatedDispute, simulatedOutcome } from '../resources/disputes.ts'

const ofDispute = z.object({ disputeId: referenceTo('dispute', 'The id of the dispute.') })

/** Beside the public API. A processor opens and decides disputes; outside production a caller may stand in for it. */
export const disputes = {
  get: {
    method: 'GET',
    path: '/api/payments/v1/disputes/{disputeId}',
    audience: 'key',
    scope: 'payments:read',
    summary: 'Read a dispute',
    description: 'The payment that is disputed lists its disputes.',
    params: ofDispute,
    status: 200,
    response: dispute,
    errors: ['resource_missing'],
  },
  simulate: {
    method: 'POST',
    path: '/api/payments/v1/payments/{paymentId}/simulate-dispute',
    audience: 'key',
    scope: 'payments:write',
    summary: 'Have a payment disputed, as its processor would (not in production)',
    description:
      'Card 4000 0000 0000 0259 is disputed as fraudulent by itself a few seconds after it was charged, 4000 0000 0000 1976 by an inquiry. In production the answer is a 404.',
    params: z.object({ paymentId: referenceTo('payment', 'The captured payment that is to be disputed.') }),
    body: simulatedDispute,
    status: 201,
    response: dispute,
    errors: ['resource_missing', 'route_not_found', 'amount_invalid', 'state_conflict'],
    emits: ['s_dispute_opened'],
    idempotent: 'unit',
  },
  simulateOutcome: {
    method: 'POST',
    path: '/api/payments/v1/disputes/{disputeId}/simulate-outcome',
    audience: 'key',
    scope: 'payments:write',
    summary: 'Decide a dispute, as the cardholder’s bank would (not in production)',
    description: 'A lost dispute takes the money back for good. In production the answer is a 404.',
    params: ofDispute,
    body: simulatedOutcome,
    status: 200,
    response: dispute,
    errors: ['resource_missing', 'route_not_found', 'state_conflict'],
    emits: ['s_dispute_won', 's_dispute_lost'],
    idempotent: 'unit',
  },
} as const satisfies Record<string, Operation>
