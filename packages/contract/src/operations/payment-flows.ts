import { z } from 'zod'
import { archivedFilter, changeErrors, howToArchive, howToChange, revisionOnly } from '../changes.ts'
import { decidedElsewhere } from '../decided-elsewhere.ts'
import { exampleId, referenceTo } from '../ids.ts'
import { PAGE_MAX } from '../limits.ts'
import { createdBetween, howToList, listOf, searchFor } from '../lists.ts'
import type { Operation } from '../operation.ts'
import { flowReplay, newFlowReplay } from '../resources/flow-replays.ts'
import { newPaymentFlow, paymentFlow, paymentFlowChange } from '../resources/payment-flows.ts'

const ofPaymentFlow = z.object({ paymentFlowId: referenceTo('paymentFlow', 'The id of the payment flow.') })

/** Source: reference, "GET /payment-flows" and "POST /payment-flows/create". */
export const paymentFlows = {
  list: {
    method: 'GET',
    path: '/api/public/v1/payment-flows',
    audience: 'admin',
    scope: 'payment-flows:read',
    summary: 'List payment flows',
    description:
      'Oldest first, without archived flows and processors. Returns all of them unless `limit` is set; then the `Link` header points to the next page.',
    query: z.object({
      limit: z.coerce
        .number()
        .int()
        .min(1)
        .max(PAGE_MAX)
        .optional()
        .meta({ description: 'The number of flows to return; all by default.', examples: [20] }),
      after: referenceTo('paymentFlow', 'The last flow of the previous page.')
        .optional()
        .meta({ description: 'The last flow of the previous page.', examples: [exampleId('paymentFlow')] }),
    }),
    status: 200,
    response: z.array(paymentFlow),
    headers: ['Link'],
    errors: [],
  },
  create: {
    method: 'POST',
    path: '/api/public/v1/payment-flows/create',
    audience: 'key',
    scope: 'payment-flows:write',
    summary: 'Create a payment flow',
    description: 'The order of the processors matters if `pickProcessorStrategy` is `ordered`.',
    body: newPaymentFlow,
    status: 201,
    response: paymentFlow,
    errors: ['resource_missing'],
    emits: ['s_payment_flow_created'],
    idempotent: 'transaction',
  },
  get: {
    method: 'GET',
    path: '/api/payments/v1/payment-flows/{paymentFlowId}',
    audience: 'key',
    scope: 'payment-flows:read',
    summary: 'Read a payment flow',
    description: 'Without archived processors.',
    params: ofPaymentFlow,
    status: 200,
    response: paymentFlow,
    errors: ['resource_missing'],
  },
  search: {
    method: 'GET',
    path: '/api/payments/v1/payment-flows',
    audience: 'key',
    scope: 'payment-flows:read',
    summary: 'Search payment flows',
    description: `Without archived processors. ${howToList}`,
    ...listOf(paymentFlow, {
      ...archivedFilter,
      ...createdBetween,
      q: searchFor('a name or the beginning of an id', 'europe'),
    }),
    status: 200,
    errors: [],
  },
  update: {
    method: 'PATCH',
    path: '/api/payments/v1/payment-flows/{paymentFlowId}',
    audience: 'key',
    scope: 'payment-flows:write',
    summary: 'Update a payment flow',
    description: `Holds from the next attempt on, also of payments under way and subscriptions. ${howToChange}`,
    params: ofPaymentFlow,
    body: paymentFlowChange,
    decided: decidedElsewhere.paymentFlow,
    status: 200,
    response: paymentFlow,
    errors: changeErrors,
    emits: ['s_payment_flow_updated'],
    idempotent: 'transaction',
  },
  replay: {
    method: 'POST',
    path: '/api/payments/v1/payment-flows/replay',
    audience: 'key',
    scope: 'payments:read',
    summary: 'Replay payments through a draft of a payment flow',
    description:
      'Runs payments of the past through a draft and counts those that would have gone elsewhere. Nothing is changed, and no processor is asked. Each attempt keeps its random draw, its customer’s last success and the processors that were failing at the time; a processor that the flow did not have then counts as working. The processors accept what they accept now. A payment that would have gone elsewhere is followed no further, because nobody knows how it would have ended. Drafts and payments that no processor was asked for are left out. Takes about five seconds at most.',
    body: newFlowReplay,
    status: 200,
    response: flowReplay,
    errors: ['resource_missing', 'concurrency_exceeded'],
  },
  archive: {
    method: 'POST',
    path: '/api/payments/v1/payment-flows/{paymentFlowId}/archive',
    audience: 'key',
    scope: 'payment-flows:write',
    summary: 'Archive a payment flow',
    description: `It takes no new payments; payments under way and subscriptions go on. A flow that a store has selected is not archived: choose another one for the store first. ${howToArchive}`,
    params: ofPaymentFlow,
    body: revisionOnly,
    status: 200,
    response: paymentFlow,
    errors: [...changeErrors, 'state_conflict'],
    emits: ['s_payment_flow_updated'],
    idempotent: 'transaction',
  },
  unarchive: {
    method: 'POST',
    path: '/api/payments/v1/payment-flows/{paymentFlowId}/unarchive',
    audience: 'key',
    scope: 'payment-flows:write',
    summary: 'Unarchive a payment flow',
    description: `It takes payments again. ${howToArchive}`,
    params: ofPaymentFlow,
    body: revisionOnly,
    status: 200,
    response: paymentFlow,
    errors: changeErrors,
    emits: ['s_payment_flow_updated'],
    idempotent: 'transaction',
  },
} as const satisfies Record<string, Operation>
