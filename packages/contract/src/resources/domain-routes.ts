import { z } from 'zod'
import { exampleId, idOf, reference, referenceTo } from '../ids.ts'
import { hostPathOf, looseHostPath } from '../paths.ts'
import { timestamp } from '../text.ts'
import { follows } from './plugin-aliases.ts'

/** Dot-separated labels, in any script. The platform applies the rules of IDNA and DNS. */
const hostname = z
  .string()
  .max(255)
  .regex(
    /^[^\s/\\:@?#%[\].\u3002\uff0e\uff61]{1,63}(?:[.\u3002\uff0e\uff61][^\s/\\:@?#%[\].\u3002\uff0e\uff61]{1,63})+\.?$/,
    'must be a host name such as "shop.example.com", without scheme, port or path',
  )

/**
 * The body of `POST /plugins/promote-to-custom-domain`, in one of two forms: `deploymentId`, `customDomain` and
 * `basePath`; or `pluginId`, `storeId`, `hostname` and `path` for the active deployment. If both are sent they have to
 * agree.
 *
 * Source: reference, "POST /plugins/promote-to-custom-domain".
 */
export const domainPromotion = z
  .object({
    deploymentId: referenceTo('deployment', 'The deployment to serve.').optional(),
    customDomain: hostname.optional().meta({
      description: 'The host name, without scheme, port or path. International names are converted with IDNA.',
      examples: ['shop.example.com'],
    }),
    basePath: looseHostPath
      .optional()
      .meta({ description: 'The path on the host where the pages start; `/` by default.', examples: ['/'] }),
    pluginId: reference.optional().meta({
      description: 'Instead of a deployment: the plugin whose active deployment is served.',
      examples: ['one-page-checkout'],
    }),
    storeId: referenceTo('store', 'With `pluginId`: the store in which the plugin is active.').optional(),
    hostname: hostname.optional().meta({ description: 'An alias of `customDomain`.', examples: ['shop.example.com'] }),
    path: looseHostPath.optional().meta({ description: 'An alias of `basePath`.', examples: ['/'] }),
  })
  .superRefine(completeAndConsistent)
  .meta({
    examples: [
      { deploymentId: exampleId('deployment'), customDomain: 'shop.example.com', basePath: '/' },
      { pluginId: 'one-page-checkout', storeId: exampleId('store'), hostname: 'shop.example.com', path: '/' },
    ],
  })
export type DomainPromotion = z.output<typeof domainPromotion>

/** A host name and path that serve a deployment. Source: reference, "Custom-domain route". */
export const domainRoute = z
  .object({
    id: idOf('route', 'The id of the route; it stays the same when another deployment is promoted.'),
    pluginId: z.string().meta({ description: 'The plugin on the route.', examples: ['one-page-checkout'] }),
    storeId: idOf('store', 'The store that the plugin runs for.'),
    deploymentId: idOf('deployment', 'The deployment on the route.'),
    hostname: z.string().meta({ description: 'The host name in lower-case ASCII.', examples: ['shop.example.com'] }),
    path: z.string().meta({ description: 'The path on the host where the pages start.', examples: ['/'] }),
    follows: follows.meta({
      description: 'Whether the route stays with the deployment or follows the active one.',
      examples: ['deployment'],
    }),
    createdAt: timestamp.meta({ description: 'When the route was created.', examples: ['2030-01-01T00:00:00.000Z'] }),
  })
  .meta({ id: 'DomainRoute' })
export type DomainRoute = z.infer<typeof domainRoute>

/** The response of `POST /plugins/promote-to-custom-domain`. */
export const promoted = z
  .object({
    success: z.literal(true).meta({ description: 'The route serves the deployment.', examples: [true] }),
    message: z.string().meta({
      description: 'A confirmation to show to people.',
      examples: ['https://shop.example.com/ serves version 1.4.0 now.'],
    }),
    route: domainRoute.meta({ description: 'The route.' }),
  })
  .meta({ id: 'Promoted' })

const storeId = referenceTo('store', 'The store that the pages belong to.')

/** The query of the list of domains. */
export const domainsQuery = z.object({ storeId })

/** The domain routes of a store. */
export const domainList = z
  .object({ routes: z.array(domainRoute).meta({ description: 'The routes, sorted by host name and path.' }) })
  .meta({ id: 'DomainList' })

/** The query of the check of a domain. */
export const domainCheckQuery = z.object({
  storeId,
  hostname: hostname.meta({ description: 'The host name to check.', examples: ['shop.example.com'] }),
})

/**
 * `found`: the record is as it has to be. `missing`: there is none. `different`: there is another one. `unknown`: the name
 * servers did not answer. `not_needed`: the platform does not ask for it.
 */
const recordStatus = z.enum(['found', 'missing', 'different', 'unknown', 'not_needed'])

/** A record that a domain's name servers need. */
const domainRecord = z.object({
  purpose: z.enum(['ownership', 'address']).meta({
    description:
      '`ownership` proves that the host name is yours. `address` leads visitors to the platform; a proxy of your own in between makes it `different`.',
    examples: ['ownership'],
  }),
  type: z.enum(['TXT', 'CNAME']).meta({
    description:
      'The type of the record. Where a domain takes no CNAME, at its top, A and AAAA records with the same addresses do.',
    examples: ['TXT'],
  }),
  name: z.string().meta({ description: 'The name of the record.', examples: ['_tillwright.shop.example.com'] }),
  value: z.string().meta({
    description: 'The value that it needs.',
    examples: ['tillwright-verification=pmWkWSBCL51Bfkhn79xPuKBKHz__H6B-mY6G9_eieuM'],
  }),
  found: z.array(z.string()).meta({
    description: 'Answers of the name servers: texts of the TXT record, or the host name’s public addresses.',
    examples: [['tillwright-verification=pmWkWSBCL51Bfkhn79xPuKBKHz__H6B-mY6G9_eieuM']],
  }),
  status: recordStatus.meta({ description: 'Whether the record is as it has to be.', examples: ['found'] }),
})

/** Result of the DNS check of a host name. */
export const domainCheck = z
  .object({
    hostname: z.string().meta({ description: 'The host name in lower-case ASCII.', examples: ['shop.example.com'] }),
    owner: z.enum(['you', 'nobody', 'another']).meta({
      description: 'Which account has plugins on the host name: yours, none, or another one.',
      examples: ['nobody'],
    }),
    ready: z.boolean().meta({
      description: 'Whether a promotion to the host name would be accepted now.',
      examples: [true],
    }),
    records: z.array(domainRecord).meta({ description: 'The records that its name servers need.' }),
  })
  .meta({ id: 'DomainCheck' })
export type DomainCheck = z.infer<typeof domainCheck>

/** The body for removing a plugin from a domain. */
export const removedDomain = z.object({
  storeId,
  hostname: hostname.meta({ description: 'The host name of the route.', examples: ['shop.example.com'] }),
  path: looseHostPath
    .default('/')
    .meta({ description: 'The path on the host where its pages start; `/` by default.', examples: ['/'] }),
})

/** The response to removing a plugin from a domain. */
export const domainRemoved = z
  .object({
    success: z.literal(true).meta({ description: 'The route is gone.', examples: [true] }),
    route: domainRoute.meta({ description: 'The removed route.' }),
  })
  .meta({ id: 'DomainRemoved' })

type Sent = {
  [Field in 'deploymentId' | 'customDomain' | 'basePath' | 'pluginId' | 'storeId' | 'hostname' | 'path']?:
    | string
    | undefined
}

function completeAndConsistent(sent: Sent, context: z.RefinementCtx): void {
  const byPlugin = sent.deploymentId === undefined && (sent.pluginId ?? sent.storeId) !== undefined
  const needed = byPlugin ? (['pluginId', 'storeId'] as const) : (['deploymentId'] as const)
  const absent: string[] = needed.filter((field) => sent[field] === undefined)
  if (sent.customDomain === undefined && sent.hostname === undefined)
    absent.push(byPlugin ? 'hostname' : 'customDomain')
  for (const field of absent) {
    const message = 'is required: send deploymentId and customDomain, or pluginId, storeId and hostname'
    context.addIssue({ code: 'custom', path: [field], message, params: { code: 'parameter_missing' } })
  }
  if (sent.path !== undefined && sent.basePath !== undefined && hostPathOf(sent.path) !== hostPathOf(sent.basePath)) {
    context.addIssue({
      code: 'custom',
      path: ['path'],
      message: 'must equal basePath: send the same value or leave one of them out',
    })
  }
}

/** The event's route, as its properties have it. */
const routed = {
  routeId: idOf('route', 'The id of the route.'),
  hostname: z.string().meta({ description: 'The host name in lower-case ASCII.', examples: ['shop.example.com'] }),
  path: z.string().meta({ description: 'The path on the host where the pages start.', examples: ['/'] }),
  pluginId: z.string().meta({ description: 'The plugin.', examples: ['one-page-checkout'] }),
  deploymentId: idOf('deployment', 'The deployment.'),
}

/** Event types of domain routes: part of `eventTypes`. */
export const routeEvents = {
  s_domain_route_created: z.object(routed).meta({ description: 'A plugin was promoted to a domain.' }),
  s_domain_route_updated: z
    .object(routed)
    .meta({ description: 'A place on a domain was given to another deployment or plugin.' }),
  s_domain_route_removed: z.object(routed).meta({ description: 'A plugin was removed from a domain.' }),
} as const
