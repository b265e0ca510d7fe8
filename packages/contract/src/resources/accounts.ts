import { z } from 'zod'
import { plans, type Plan } from '../limits.ts'

/** Where a deployment of the platform stands; keys belong to one. */
export const environment = z.enum(['local', 'development', 'production'])
export type Environment = z.infer<typeof environment>

/** Roles of an API key: `org:admin` may do everything, `org:member` all but administration, `org:read` reads. */
export const roles = ['org:admin', 'org:member', 'org:read'] as const
export const role = z.enum(roles)
export type Role = z.infer<typeof role>

const planNames = Object.keys(plans) as [Plan, ...Plan[]] // the keys of a non-empty literal

/** What `auth/test` answers: whose key this is and what it may do. */
export const keyCheck = z
  .object({
    success: z.literal(true),
    accountId: z.string(),
    environment,
    keyId: z.string(),
    roles: z.array(role),
    scopes: z.array(z.string()),
    plan: z.enum(planNames),
    limits: z.object({
      requestsPerMinute: z.int(),
      burst: z.int(),
      bodyMaxBytes: z.int(),
      deployBodyMaxBytes: z.int(),
      assetMaxBytes: z.int(),
      deploymentMaxFiles: z.int(),
      deploymentMaxBytes: z.int(),
    }),
  })
  .meta({ id: 'KeyCheck' })
