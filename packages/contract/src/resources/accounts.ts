import { z } from 'zod'
import { idOf } from '../ids.ts'
import { plans, type Plan } from '../limits.ts'

/** Where a deployment of the platform stands; keys belong to one. */
export const environment = z.enum(['local', 'development', 'production'])
export type Environment = z.infer<typeof environment>

/** Roles of an API key: `org:admin` may do everything, `org:member` all but administration, `org:read` reads. */
export const roles = ['org:admin', 'org:member', 'org:read'] as const
export const role = z.enum(roles)
export type Role = z.infer<typeof role>

const planNames = Object.keys(plans) as [Plan, ...Plan[]] // the keys of a non-empty literal

const limits = z.object({
  requestsPerMinute: z.int().meta({ description: 'Requests that the account regains in a minute.', examples: [100] }),
  burst: z.int().meta({ description: 'Requests that pass at once when none were sent before.', examples: [150] }),
  bodyMaxBytes: z.int().meta({ description: 'The largest JSON body, in bytes.', examples: [1_048_576] }),
  deployBodyMaxBytes: z
    .int()
    .meta({ description: 'The largest body of a plugin deployment, in bytes.', examples: [26_214_400] }),
  assetMaxBytes: z.int().meta({ description: 'The largest file of a deployment, in bytes.', examples: [26_214_400] }),
  deploymentMaxFiles: z.int().meta({ description: 'The most files of a deployment.', examples: [2_000] }),
  deploymentMaxBytes: z
    .int()
    .meta({ description: 'The size of all files of a deployment together, in bytes.', examples: [104_857_600] }),
})

/** What `auth/test` answers: whose key this is and what it may do. */
export const keyCheck = z
  .object({
    success: z.literal(true).meta({ description: 'The key is good.' }),
    accountId: idOf('account', 'The account that the key belongs to.'),
    environment: environment.meta({ description: 'The environment that the key works in.' }),
    keyId: idOf('apiKey', 'The id of the key, as the operator’s list shows it.'),
    roles: z.array(role).meta({ description: 'The roles of the key; `org:admin` implies every scope.' }),
    scopes: z.array(z.string()).meta({
      description: 'What the key may do, as `<resource>:read` or `<resource>:write`. None and no role: everything.',
      examples: [['products:read', 'payments:write']],
    }),
    plan: z.enum(planNames).meta({ description: 'The plan of the account.' }),
    limits: limits.meta({ description: 'What the account may ask for.' }),
  })
  .meta({ id: 'KeyCheck', description: 'Whose key this is and what it may do.' })
