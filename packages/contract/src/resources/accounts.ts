import { z } from 'zod'
import { changeOf, revised } from '../changes.ts'
import { idOf } from '../ids.ts'
import { LIVE_PROCESSORS_MAX, type Plan, plans, pluginRooms, WEBHOOK_ENDPOINTS_MAX } from '../limits.ts'
import { name, timestamp } from '../text.ts'
import { threedsProvider } from './threeds-sessions.ts'

/** The environment of a platform; every key belongs to one. */
export const environment = z.enum(['local', 'development', 'production'])
export type Environment = z.infer<typeof environment>

/**
 * Roles of an API key: `org:admin` may do everything, `org:member` everything but administration, `org:read` only
 * reads.
 */
export const roles = ['org:admin', 'org:member', 'org:read'] as const
export const role = z.enum(roles)
export type Role = z.infer<typeof role>

const planNames = Object.keys(plans) as [Plan, ...Plan[]] // the keys of a non-empty literal

const limits = z.object({
  requestsPerMinute: z.int().meta({ description: 'Requests that the account regains each minute.', examples: [100] }),
  burst: z.int().meta({ description: 'The largest burst of requests after a quiet period.', examples: [150] }),
  bodyMaxBytes: z.int().meta({ description: 'The largest JSON body, in bytes.', examples: [1_048_576] }),
  deployBodyMaxBytes: z
    .int()
    .meta({ description: 'The largest body of a plugin deployment, in bytes.', examples: [26_214_400] }),
  assetMaxBytes: z.int().meta({ description: 'The largest file of a deployment, in bytes.', examples: [26_214_400] }),
  deploymentMaxFiles: z.int().meta({ description: 'The largest number of files in a deployment.', examples: [2_000] }),
  deploymentMaxBytes: z
    .int()
    .meta({ description: 'The largest total size of a deployment’s files, in bytes.', examples: [104_857_600] }),
})

/** The response of `auth/test`. */
export const keyCheck = z
  .object({
    success: z.literal(true).meta({ description: 'The key is valid.' }),
    accountId: idOf('account', 'The account that the key belongs to.'),
    environment: environment.meta({ description: 'The environment that the key works in.' }),
    keyId: idOf('apiKey', 'The id of the key, as shown in the operator’s list.'),
    roles: z.array(role).meta({ description: 'The roles of the key; `org:admin` implies every scope.' }),
    scopes: z.array(z.string()).meta({
      description:
        'The scopes of the key, as `<resource>:read` or `<resource>:write`. A key with neither scopes nor roles may do everything but administration.',
      examples: [['products:read', 'payments:write']],
    }),
    expiresAt: timestamp
      .nullable()
      .meta({ description: 'When the key stops working; null for a key that does not expire.', examples: [null] }),
    replacedBy: z
      .string()
      .nullable()
      .meta({ description: 'The key that this one was rolled to; null if it was not.', examples: [null] }),
    plan: z.enum(planNames).meta({ description: 'The plan of the account.' }),
    limits: limits.meta({ description: 'The limits of the account.' }),
  })
  .meta({ id: 'KeyCheck', description: 'An API key with its account and permissions.' })

const used = (what: string, most: number) =>
  z
    .object({
      max: z.int().meta({ description: 'The most that the account can have.', examples: [most] }),
      used: z.int().meta({ description: 'How many it has.', examples: [2] }),
    })
    .meta({ description: what })

const accountName = name.meta({ description: 'The name of the account.', examples: ['My shop'] })
const ownProvider = threedsProvider.meta({
  description:
    'The 3-D Secure provider that authenticates the buyers of the account’s payments; `GET /api/accounts/v1/threeds-providers` has those that can be selected.',
  examples: ['vendor_a'],
})

/** The account of the key or member that asks. */
export const account = z
  .object({
    id: idOf('account', 'The id of the account.'),
    name: accountName,
    environment: environment.meta({
      description: 'The environment of the platform. An account lives in one environment.',
    }),
    plan: z.enum(planNames).meta({ description: 'The plan. The operator sets it.' }),
    limits: limits
      .extend({
        ownRateLimit: z.boolean().meta({
          description: 'Whether the operator has set a rate limit for this account instead of that of its plan.',
          examples: [false],
        }),
        processors: used('Processors that are not archived.', LIVE_PROCESSORS_MAX),
        webhookEndpoints: used('Webhook endpoints.', WEBHOOK_ENDPOINTS_MAX),
        deployments: used(
          'Plugin deployments that are not removed, archived ones among them; the plan decides.',
          pluginRooms.standard.deployments,
        ),
        pluginFiles: used(
          'Files of plugins, each counted once, however many deployments have it; the plan decides. A file is deleted a day after the last deployment that has it was removed.',
          pluginRooms.standard.files,
        ),
        pluginBytes: used('The size of these files together, in bytes; the plan decides.', pluginRooms.standard.bytes),
      })
      .meta({
        description:
          'The limits in force. How much of the rate limit is left is in the header `RateLimit` of every answer.',
      }),
    threedsProvider: ownProvider,
    pagesOffSince: timestamp.nullable().meta({
      description:
        'Since when the operator has taken the pages of the account’s plugins down: every host of theirs answers 410. `null` while they are shown.',
      examples: [null],
    }),
    createdAt: timestamp.meta({ description: 'When the account was created.' }),
    ...revised,
  })
  .meta({ id: 'Account', description: 'An account, with its plan and limits.' })
export type Account = z.infer<typeof account>

/** The body of a change of the own account. */
export const accountChange = changeOf({ name: accountName, threedsProvider: ownProvider }).meta({
  id: 'AccountChange',
  description: 'A change of the account. Plan and limits are not among the fields: the operator sets them.',
})
