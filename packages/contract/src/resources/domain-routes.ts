import { z } from 'zod'
import { exampleId, idOf, reference, referenceTo } from '../ids.ts'
import { hostPathOf, looseHostPath } from '../paths.ts'
import { timestamp } from '../text.ts'
import { follows } from './plugin-aliases.ts'

/** Names parted by dots, those of other scripts included; what IDNA and DNS make of them is for the platform to say. */
const hostname = z
  .string()
  .max(255)
  .regex(
    /^[^\s/\\:@?#%[\].\u3002\uff0e\uff61]{1,63}(?:[.\u3002\uff0e\uff61][^\s/\\:@?#%[\].\u3002\uff0e\uff61]{1,63})+\.?$/,
    'must be a host name such as "shop.example.com", without scheme, port or path',
  )

/**
 * The body of `POST /plugins/promote-to-custom-domain`, in one of two forms: deploymentId, customDomain and basePath; or
 * pluginId, storeId, hostname and path, which mean the active deployment. Both together must not contradict each other.
 *
 * Source: reference, "POST /plugins/promote-to-custom-domain".
 */
export const domainPromotion = z
  .object({
    deploymentId: referenceTo('deployment', 'The deployment to serve.').optional(),
    customDomain: hostname.optional().meta({
      description: 'The host name, without scheme, port or path. International names are read as IDNA.',
      examples: ['shop.example.com'],
    }),
    basePath: looseHostPath
      .optional()
      .meta({ description: 'Where on the host the pages begin, `/` unless given.', examples: ['/'] }),
    pluginId: reference.optional().meta({
      description: 'Instead of a deployment: the plugin whose active one is meant.',
      examples: ['one-page-checkout'],
    }),
    storeId: referenceTo('store', 'With `pluginId`: the store in which it is active.').optional(),
    hostname: hostname
      .optional()
      .meta({ description: 'Another name of `customDomain`.', examples: ['shop.example.com'] }),
    path: looseHostPath.optional().meta({ description: 'Another name of `basePath`.', examples: ['/'] }),
  })
  .superRefine(wholeAndOfOneMind)
  .meta({
    examples: [
      { deploymentId: exampleId('deployment'), customDomain: 'shop.example.com', basePath: '/' },
      { pluginId: 'one-page-checkout', storeId: exampleId('store'), hostname: 'shop.example.com', path: '/' },
    ],
  })
export type DomainPromotion = z.output<typeof domainPromotion>

/** A host name and a path on it that serve a deployment. Source: reference, "Custom-domain route". */
export const domainRoute = z
  .object({
    id: idOf('route', 'The id of the route; it stays when another deployment is promoted.'),
    pluginId: z.string().meta({ description: 'The plugin that is served.', examples: ['one-page-checkout'] }),
    storeId: idOf('store', 'The store that it is served for.'),
    deploymentId: idOf('deployment', 'The deployment that is served.'),
    hostname: z.string().meta({ description: 'The host name in lower-case ASCII.', examples: ['shop.example.com'] }),
    path: z.string().meta({ description: 'Where on the host the pages begin.', examples: ['/'] }),
    follows: follows.meta({
      description: 'Whether the route stays with the deployment, or follows what is active.',
      examples: ['deployment'],
    }),
    createdAt: timestamp.meta({ description: 'When the route was made.', examples: ['2030-01-01T00:00:00.000Z'] }),
  })
  .meta({ id: 'DomainRoute' })
export type DomainRoute = z.infer<typeof domainRoute>

/** The answer of `POST /plugins/promote-to-custom-domain`. */
export const promoted = z
  .object({
    success: z.literal(true).meta({ description: 'That the route serves the deployment.', examples: [true] }),
    message: z.string().meta({
      description: 'What was done, for people.',
      examples: ['shop.example.com/ serves version 1.4.0 now.'],
    }),
    route: domainRoute.meta({ description: 'The route.' }),
  })
  .meta({ id: 'Promoted' })

const storeId = referenceTo('store', 'The store that the pages are for.')

/** The query of the list of domains. */
export const domainsQuery = z.object({ storeId })

/** The places on domains that show plugins of a store. */
export const domainList = z
  .object({ routes: z.array(domainRoute).meta({ description: 'The routes, in the order of host name and path.' }) })
  .meta({ id: 'DomainList' })

/** The body that takes a plugin off a domain. */
export const removedDomain = z.object({
  storeId,
  hostname: hostname.meta({ description: 'The host name of the route.', examples: ['shop.example.com'] }),
  path: looseHostPath
    .default('/')
    .meta({ description: 'Where on the host its pages begin, `/` unless given.', examples: ['/'] }),
})

/** The answer of taking a plugin off a domain. */
export const domainRemoved = z
  .object({
    success: z.literal(true).meta({ description: 'That nothing is served there any more.', examples: [true] }),
    route: domainRoute.meta({ description: 'The route as it was.' }),
  })
  .meta({ id: 'DomainRemoved' })

type Sent = {
  [Field in 'deploymentId' | 'customDomain' | 'basePath' | 'pluginId' | 'storeId' | 'hostname' | 'path']?:
    | string
    | undefined
}

function wholeAndOfOneMind(sent: Sent, context: z.RefinementCtx): void {
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
    context.addIssue({ code: 'custom', path: ['path'], message: 'must be the same as basePath, or be left out' })
  }
}
