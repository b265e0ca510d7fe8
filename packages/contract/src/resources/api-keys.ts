import { z } from 'zod'
import { exampleId, idOf, reference } from '../ids.ts'
import { KEY_ORIGINS_MAX, KEY_OVERLAP_DEFAULT_H, KEY_OVERLAP_MAX_H, NAME_MAX_CHARS } from '../limits.ts'
import { type Scope, scopes } from '../scopes.ts'
import { anyTimestamp, name, timestamp } from '../text.ts'
import { role, roles } from './accounts.ts'

/** `secret` keys are for servers; `publishable` ones for the pages of a shop. */
export const apiKeyKind = z.enum(['secret', 'publishable'])

/** Whether a key can be used. */
export const apiKeyState = z.enum(['good', 'expired', 'revoked'])

/** An API key. Its text is not among the fields. */
export const apiKey = z
  .object({
    id: idOf('apiKey', 'The id of the key. It opens nothing.'),
    accountId: idOf('account', 'The account that the key belongs to.'),
    name: z
      .string()
      .nullable()
      .meta({ description: 'The name; null if none was given.', examples: ['Shop server'] }),
    kind: apiKeyKind.meta({ description: '`secret` for servers, `publishable` for pages.', examples: ['secret'] }),
    shown: z.string().meta({
      description: 'The prefix and the last four characters of the key, to recognize it by.',
      examples: ['live_sk_…w3Qz'],
    }),
    roles: z.array(role).meta({ description: 'The roles of the key; `org:admin` implies every scope.' }),
    scopes: z.array(z.string()).meta({
      description:
        'The scopes of the key. A secret key with neither scopes nor roles may do everything but administration.',
      examples: [['products:read', 'payments:write']],
    }),
    storeId: z
      .string()
      .nullable()
      .meta({ description: 'The store of a publishable key; null for a secret key.', examples: [null] }),
    allowedOrigins: z.array(z.string()).meta({
      description: 'The origins of the pages that may use a publishable key; empty for a secret key.',
      examples: [[]],
    }),
    state: apiKeyState.meta({ description: 'Only a `good` key is accepted.', examples: ['good'] }),
    createdAt: timestamp.meta({ description: 'When the key was created.' }),
    lastUsedAt: timestamp
      .nullable()
      .meta({ description: 'When the key was last used, to the minute; null if never.', examples: [null] }),
    createdBy: z
      .string()
      .nullable()
      .meta({
        description:
          'The member or key that has made it, or rolled another to it; null for the platform and its operator.',
        examples: [exampleId('member')],
      }),
    expiresAt: timestamp
      .nullable()
      .meta({ description: 'When the key stops working; null for a key that does not expire.', examples: [null] }),
    revokedAt: timestamp
      .nullable()
      .meta({ description: 'When the key was revoked; null if it was not.', examples: [null] }),
    replacedBy: z
      .string()
      .nullable()
      .meta({ description: 'The key that this one was rolled to; null if it was not.', examples: [null] }),
  })
  .meta({ id: 'ApiKey', description: 'An API key, without its text.' })
export type ApiKey = z.infer<typeof apiKey>

/** The body of a new key. */
export const newApiKey = z
  .strictObject({
    kind: apiKeyKind.meta({ description: '`secret` for servers, `publishable` for pages.', examples: ['secret'] }),
    name: name.optional().meta({ description: 'The name of the key, for lists.', examples: ['Shop server'] }),
    roles: z
      .array(role)
      .max(roles.length)
      .optional()
      .meta({ description: 'The roles of a secret key.', examples: [['org:read']] }),
    scopes: z
      .array(z.enum([...scopes] as [Scope, ...Scope[]])) // of a list that is not empty
      .max(scopes.length)
      .optional()
      .meta({
        description:
          'Scopes of a secret key in addition to those of its roles. Without roles and scopes it may do everything but administration.',
        examples: [['payments:write']],
      }),
    storeId: reference.optional().meta({
      description: 'The store that a publishable key takes cards and begins sessions for.',
      examples: [exampleId('store')],
    }),
    allowedOrigins: z
      .array(z.string().min(1).max(NAME_MAX_CHARS))
      .min(1)
      .max(KEY_ORIGINS_MAX)
      .optional()
      .meta({
        description:
          'The origins of the pages that may use a publishable key: scheme, host and port alone; `https:` outside `local`.',
        examples: [['https://shop.example']],
      }),
    expiresAt: anyTimestamp.optional().meta({
      description: 'When the key stops working, in the future; by default it does not expire.',
      examples: ['2099-01-31T00:00:00Z'],
    }),
  })
  .superRefine(requireFieldsOfKind)
  .meta({
    id: 'NewApiKey',
    description: 'A key to create.',
    examples: [
      { kind: 'secret', name: 'Shop server', scopes: ['payments:write'] },
      { kind: 'secret', roles: ['org:read'] },
      { kind: 'publishable', storeId: exampleId('store'), allowedOrigins: ['https://shop.example'] },
    ],
  })
export type NewApiKeyBody = z.output<typeof newApiKey>

interface FieldsOfKind {
  kind: z.output<typeof apiKeyKind>
  roles?: unknown
  scopes?: unknown
  storeId?: unknown
  allowedOrigins?: unknown
}

function requireFieldsOfKind(body: FieldsOfKind, context: z.RefinementCtx): void {
  const isSecret = body.kind === 'secret'
  for (const field of ['roles', 'scopes', 'storeId', 'allowedOrigins'] as const) {
    const isOfSecret = field === 'roles' || field === 'scopes'
    const isSent = body[field] !== undefined
    if (isSent && isOfSecret !== isSecret) {
      const message = `must be left out for a ${body.kind} key`
      context.addIssue({ code: 'custom', path: [field], message })
    }
    if (!isSent && !isOfSecret && !isSecret) {
      context.addIssue({ code: 'custom', path: [field], message: 'is required for a publishable key' })
    }
  }
}

/** The body of rolling a key. */
export const keyRoll = z
  .strictObject({
    overlapHours: z
      .int()
      .min(0)
      .max(KEY_OVERLAP_MAX_H)
      .default(KEY_OVERLAP_DEFAULT_H)
      .meta({
        description: 'How many hours the old key continues to work; 0 ends it at once.',
        examples: [KEY_OVERLAP_DEFAULT_H],
      }),
    expiresAt: anyTimestamp.optional().meta({
      description: 'When the new key stops working; by default it lives as long as the old one was made for.',
      examples: ['2099-01-31T00:00:00Z'],
    }),
  })
  .meta({ id: 'KeyRoll', description: 'How to roll a key.' })

/** A new key with its text. */
export const createdApiKey = z
  .object({
    apiKey,
    key: z.string().meta({
      description: 'The key itself. It is shown once, and only its SHA-256 is stored.',
      examples: ['test_sk_8Bd2…w3Qz'],
    }),
  })
  .meta({ id: 'CreatedApiKey', description: 'A new key, with its text.' })
