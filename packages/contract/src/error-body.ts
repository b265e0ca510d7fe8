import { z } from 'zod'
import { idOf } from './ids.ts'
import { ISSUES_MAX } from './limits.ts'

/**
 * A problem with a request: `path` is dotted with indexes, such as `variants[0].prices[1].currencyOptions.USD.amount`.
 */
export const errorIssue = z.object({
  message: z.string().meta({ description: 'The problem with this field.', examples: ['is required'] }),
  path: z.string().meta({
    description: 'The path of the field, dotted with indexes; empty for the request as a whole.',
    examples: ['variants[0].prices[1].currencyOptions.USD.amount'],
  }),
  code: z.string().meta({ description: 'The error code of this problem.', examples: ['parameter_missing'] }),
})
export type ErrorIssue = z.infer<typeof errorIssue>

/**
 * The body of every error response. It satisfies both shapes of the reference: `error` is shape A; `message`, `code`
 * and `issues` are shape B.
 */
export const errorBody = z
  .object({
    error: z
      .object({
        type: z.string().meta({ description: 'The category of the error.', examples: ['invalid_request_error'] }),
        code: z
          .string()
          .meta({ description: 'The stable name of the error: branch on it.', examples: ['parameter_missing'] }),
        message: z.string().meta({
          description: 'The problem and how to fix it, for people; the wording may change.',
          examples: ['name is required.'],
        }),
        param: z
          .string()
          .optional()
          .meta({ description: 'The invalid field, dotted with indexes.', examples: ['name'] }),
        declineCode: z
          .string()
          .optional()
          .meta({
            description: 'The issuer’s reason for declining the card, with a 402.',
            examples: ['generic_decline'],
          }),
        paymentId: idOf('payment', 'The payment that failed, with a 402.').optional(),
        expectedRevision: z
          .int()
          .optional()
          .meta({ description: 'The revision that was sent, with `revision_conflict`.', examples: [1] }),
        currentRevision: z
          .int()
          .optional()
          .meta({ description: 'The revision that the object has, with `revision_conflict`.', examples: [2] }),
        current: z
          .record(z.string(), z.unknown())
          .optional()
          .meta({
            description: 'The object as it is now, with `revision_conflict`.',
            examples: [{ name: 'Tote bag', revision: 2 }],
          }),
        docUrl: z.string().meta({
          description: 'The documentation of the code.',
          examples: ['http://localhost:4400/docs/errors#parameter_missing'],
        }),
        requestId: idOf('request', 'The same as `X-Request-Id`; include it when you contact support.'),
      })
      .meta({ description: 'The error.' }),
    message: z.string().meta({ description: 'The same as `error.message`.', examples: ['name is required.'] }),
    code: z
      .string()
      .meta({ description: 'The class of the error, derived from its status.', examples: ['BAD_REQUEST'] }),
    issues: z
      .array(errorIssue)
      .meta({ description: `All problems with the request, at most ${ISSUES_MAX}; the first one is \`error\`.` }),
  })
  .meta({ id: 'Error', description: 'The body of every error response.' })
export type ErrorBody = z.infer<typeof errorBody>
