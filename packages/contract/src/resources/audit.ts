import { z } from 'zod'
import { exampleId, idOf } from '../ids.ts'
import { createdBetween, ofOperation, ofResource } from '../lists.ts'
import { timestamp } from '../text.ts'

/** Kind of caller that made a change. */
const auditActorKind = z.enum(['key', 'member', 'session', 'operator', 'worker'])

/** The name of the key or member that another field has the id of. */
export const callerName = z
  .string()
  .nullable()
  .meta({
    description:
      'The name of that key or member, or else the member’s e-mail address; null for a key without a name, and for a member where the reader may not read members.',
    examples: ['Ada Byrne'],
  })

/** The actor of a change. */
export const auditActor = z.object({
  kind: auditActorKind.meta({
    description:
      '`key`: an API key. `member`: a person who is signed in. `session`: a buyer’s session. `operator`: a command on the platform’s own machine. `worker`: the platform itself.',
    examples: ['key'],
  }),
  id: z.string().meta({
    description:
      'The id of the key, member or session; the operating system’s user for an operator; the name of the worker.',
    examples: [exampleId('apiKey')],
  }),
  name: z
    .string()
    .nullable()
    .meta({
      description:
        'The name of the key or member at that time, or null; of a member, for readers who may read members.',
      examples: ['Shop server'],
    }),
})

const nullableText = (description: string, example: string) =>
  z
    .string()
    .nullable()
    .meta({ description, examples: [example] })

const side = (description: string) =>
  z
    .unknown()
    .optional()
    .meta({ description, examples: [{ name: 'Canvas tote' }] })

/** A change of the account, as the audit log keeps it. */
export const auditEntry = z
  .object({
    id: idOf('auditEntry', 'The id of the entry.'),
    accountId: idOf('account', 'The account that was changed.'),
    createdAt: timestamp.meta({ description: 'When it was changed.' }),
    actor: auditActor.meta({ description: 'Who made the change.' }),
    address: nullableText(
      'The IP address that the request came from; null without a request, and for one with a publishable key.',
      '203.0.113.7',
    ),
    userAgent: nullableText(
      'The `User-Agent` of the request, at most 256 characters; null without one, and for a request with a publishable key.',
      'curl/8.5.0',
    ),
    operation: z.string().meta({
      description: 'The operation: its group and name, such as `products.create`, or what a worker or operator did.',
      examples: ['products.create'],
    }),
    resourceType: nullableText('The type of the changed resource, or null.', 'product'),
    resourceId: nullableText('The changed resource; null where several were changed at once.', exampleId('product')),
    status: z
      .int()
      .nullable()
      .meta({
        description:
          'The HTTP status of the answer. Null for workers and operators, and for what was recorded before a processor or another service was asked.',
        examples: [201],
      }),
    requestId: nullableText('The request, as `X-Request-Id` named it; null without a request.', exampleId('request')),
    changes: z
      .object({
        before: side('The resource before the change; left out where it was created.'),
        after: side('The resource after the change, or what was asked for.'),
      })
      .nullable()
      .meta({
        description:
          'The change, without secrets and card data. A large value is represented by its SHA-256. Null where it was erased, and empty of a member where the reader may not read members.',
        examples: [{ after: { productId: exampleId('product') } }],
      }),
  })
  .meta({ id: 'AuditEntry', description: 'A change of the account: who, from where, what, before and after.' })
export type AuditEntry = z.infer<typeof auditEntry>

/** An id as an entry has it. It need not be of anything that still exists. */
const auditedId = z
  .string()
  .regex(/^[A-Za-z0-9_.@-]{1,64}$/, 'must be an id as entries have it: 1 to 64 letters, digits, "_", ".", "@" or "-"')
  .meta({ minLength: 1, maxLength: 64 })

/** The filters of `GET /api/audit/v1/entries`. */
export const auditFilters = {
  resourceId: auditedId.optional().meta({
    description: 'Only changes of this resource.',
    examples: [exampleId('product')],
  }),
  actorId: auditedId.optional().meta({
    description: 'Only changes by this key, member, session, operator or worker.',
    examples: [exampleId('apiKey')],
  }),
  operation: ofOperation('Only changes by this operation.'),
  requestId: ofResource('request', 'Only changes by this request, as `X-Request-Id` named it.'),
  ...createdBetween,
}

/** Event types of the audit log: part of `eventTypes`. */
export const auditEvents = {
  s_audit_recorded: z
    .object({
      auditEntryId: idOf('auditEntry', 'The entry.'),
      operation: z.string().meta({ description: 'The operation.', examples: ['products.create'] }),
      actorKind: auditActorKind.meta({ description: 'Kind of caller that made the change.' }),
      actorId: z.string().meta({ description: 'Who made the change.', examples: [exampleId('apiKey')] }),
      resourceType: z
        .string()
        .nullable()
        .meta({ description: 'The type of the changed resource, or null.', examples: ['product'] }),
      resourceId: z
        .string()
        .nullable()
        .meta({ description: 'The id of the changed resource, or null.', examples: [exampleId('product')] }),
      recordedAt: timestamp.meta({ description: 'When the change was made.' }),
      sealSequence: z.int().meta({ description: 'The number of the seal that covers the entry.', examples: [42] }),
      sealHash: z.string().meta({
        description: 'The hash of that seal: kept elsewhere, it shows whether the log before it was changed.',
        examples: ['pmWkWSBCL51Bfkhn79xPuKBKHz__H6B-mY6G9_eieuM'],
      }),
    })
    .meta({
      description:
        'A change was recorded in the audit log. Sent only to endpoints that name this type, never to those of all events.',
    }),
} as const
