import { z } from 'zod'
import { isErrorCode } from '../errors.ts'
import { exampleId, idOf, ownId } from '../ids.ts'
import { createdBetween, ofOperation, ofResource } from '../lists.ts'
import { FAILED_REQUESTS_KEPT_DAYS } from '../limits.ts'
import { timestamp } from '../text.ts'
import { auditActor } from './audit.ts'

/** A request that was refused or failed, as the log of requests keeps it. */
export const failedRequest = z
  .object({
    id: idOf('request', 'The id of the request: `X-Request-Id`, and `error.requestId` of its answer.'),
    accountId: idOf('account', 'The account that the request was authenticated for.'),
    createdAt: timestamp.meta({ description: 'When the request arrived.' }),
    operation: z
      .string()
      .meta({ description: 'The operation that was called: its group and name.', examples: ['products.create'] }),
    method: z.string().meta({ description: 'The HTTP method.', examples: ['POST'] }),
    path: z.string().meta({
      description: 'The path of the operation, with its parameters in braces.',
      examples: ['/api/payments/v1/payments/{paymentId}/refunds'],
    }),
    pathParams: z.record(z.string(), z.string()).meta({
      description: 'The ids that stood in the path, by their names. What is no id is left out.',
      examples: [{ paymentId: exampleId('payment') }],
    }),
    status: z.int().meta({ description: 'The HTTP status of the answer.', examples: [404] }),
    code: z
      .string()
      .meta({ description: 'The code of the error: `error.code` of the answer.', examples: ['resource_missing'] }),
    message: z.string().meta({
      description: 'The message of the error, without e-mail addresses and secrets.',
      examples: ['There is no payment with this id.'],
    }),
    param: z
      .string()
      .nullable()
      .meta({ description: 'The field that was wrong, or null.', examples: ['paymentId'] }),
    docUrl: z.string().meta({
      description: 'The documentation of the code.',
      examples: ['http://localhost:4400/docs/errors#resource_missing'],
    }),
    actor: auditActor.meta({ description: 'Who made the request.' }),
    storeId: z
      .string()
      .nullable()
      .meta({
        description: 'The store that the request named, or that its key is of; else null.',
        examples: ['store_1'],
      }),
    idempotencyKeyHash: z
      .string()
      .nullable()
      .meta({
        description: 'SHA-256 of the `Idempotency-Key` in base64url, or null. The key itself is not kept.',
        examples: ['pmWkWSBCL51Bfkhn79xPuKBKHz__H6B-mY6G9_eieuM'],
      }),
    durationMs: z
      .int()
      .meta({ description: 'How long the request took on the platform, in milliseconds.', examples: [12] }),
    leftOut: z.int().meta({
      description:
        'How many more requests failed in the same minute and are only counted, here, at the last one that is kept: 0, unless very many failed.',
      examples: [0],
    }),
  })
  .meta({
    id: 'FailedRequest',
    description: `A request that was refused or failed, kept for ${FAILED_REQUESTS_KEPT_DAYS} days. Of what was sent it has the ids in the path, and nothing else.`,
  })
export type FailedRequest = z.infer<typeof failedRequest>

/** The filters of `GET /api/accounts/v1/failed-requests`. */
export const failedRequestFilters = {
  status: z
    .enum(['4xx', '5xx'])
    .optional()
    .meta({
      description: 'Only requests that were refused (`4xx`) or that the platform failed at (`5xx`).',
      examples: ['4xx'],
    }),
  code: z
    .string()
    .max(64)
    .refine(isErrorCode, 'must be a code of an error, such as "parameter_invalid"')
    .optional()
    .meta({ description: 'Only requests with this error.', examples: ['parameter_invalid'] }),
  operation: ofOperation('Only requests for this operation.'),
  actorId: ownId.optional().meta({
    description: 'Only requests by this key, member or session.',
    examples: [exampleId('apiKey')],
  }),
  storeId: ofResource('store', 'Only requests that named this store.'),
  idempotencyKey: z
    .string()
    .regex(/^[\x21-\x7e]{1,255}$/, 'must be 1 to 255 visible ASCII characters')
    .optional()
    .meta({
      minLength: 1,
      maxLength: 255,
      description: 'Only requests with this `Idempotency-Key`.',
      examples: ['order-1042'],
    }),
  ...createdBetween,
}
