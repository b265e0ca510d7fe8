import { z } from 'zod'
import { ownId } from '../ids.ts'
import { FEATURES_MAX } from '../limits.ts'
import { assetPath, hostPath } from '../paths.ts'
import { stepType } from '../resources/funnels.ts'
import { pageEditor, remappable } from '../resources/plugin-manifests.ts'
import { label, name } from '../text.ts'

/** The pattern of a path parameter's name after the `:`, so that code can refer to it. */
const paramName = /^[A-Za-z_][A-Za-z0-9_]{0,63}$/

/** The parameter names of a page's path, in order: `['orderId']` of `/thank-you/:orderId`. */
export function routeParams(path: string): string[] {
  return path.split('/').flatMap((part) => (part.startsWith(':') ? [part.slice(1)] : []))
}

const pagePath = hostPath
  .refine(
    (path) => routeParams(path).every((param) => paramName.test(param)),
    'must name its parameters with letters, digits and "_", such as "/orders/:orderId"',
  )
  .refine(
    (path) => new Set(routeParams(path)).size === routeParams(path).length,
    'must not use the same parameter twice',
  )

/** A resource that a feature requires, and where the page finds its id. */
const featureRequirement = z.looseObject({
  resource: name.meta({ description: 'The required resource.', examples: ['order'] }),
  in: z
    .enum(['session', 'path', 'query'])
    .default('session')
    .meta({
      description: 'The source of its id: the buyer’s session, a path parameter or the query.',
      examples: ['path'],
    }),
  param: name.optional().meta({
    description: 'The name of the path or query parameter; the resource followed by `Id` by default.',
    examples: ['orderId'],
  }),
})
export type FeatureRequirement = z.output<typeof featureRequirement>

/** The name of the parameter that a requirement reads, or null if it comes from the session. */
export function paramOf({ resource, in: place, param }: FeatureRequirement): string | null {
  return place === 'session' ? null : (param ?? `${resource}Id`)
}

const pageFeature = z.looseObject({
  type: stepType.meta({
    description: 'The type of funnel steps that the page can serve.',
    examples: ['thank_you'],
  }),
  requirements: z
    .array(featureRequirement)
    .max(FEATURES_MAX)
    .default([])
    .meta({
      description: 'Resources that the page requires.',
      examples: [[{ resource: 'order', in: 'path', param: 'orderId' }]],
    }),
})

/** A page in a plugin's manifest file. */
export const pluginPage = z
  .looseObject({
    id: ownId.meta({ description: 'The id of the page, unique in the plugin.', examples: ['thank-you'] }),
    path: pagePath.meta({
      description: 'The path of the page on its host, unique in the plugin; `:name` matches any single segment.',
      examples: ['/thank-you/:orderId'],
    }),
    name: label.optional().meta({ description: 'The name of the page in the dashboard.', examples: ['Thank you'] }),
    isDefault: z
      .boolean()
      .optional()
      .meta({ description: 'Whether the page is served at `/`; the first page by default.', examples: [false] }),
    remappable: z
      .boolean()
      .default(false)
      .meta({ description: remappable, examples: [true] }),
    features: z
      .array(pageFeature)
      .max(FEATURES_MAX)
      .default([])
      .meta({ description: 'Abilities of the page in a funnel.', examples: [[{ type: 'thank_you' }]] }),
    editor: pageEditor
      .optional()
      .meta({ description: 'The editor of the page.', examples: [{ type: 'internal', url: '/editor' }] }),
    entry: assetPath.optional().meta({
      description:
        'The entry module of the page; `src/pages/<id>` with .tsx, .ts, .jsx or .js by default. Only for direct-mode.',
      examples: ['src/pages/thank-you.tsx'],
    }),
  })
  .superRefine(inPath)
export type PluginPage = z.output<typeof pluginPage>

/** Refuses requirements that read a path parameter missing from the page's path. */
function inPath(page: { path: string; features: { requirements: FeatureRequirement[] }[] }, context: z.RefinementCtx) {
  const params = routeParams(page.path)
  for (const [feature, { requirements }] of page.features.entries()) {
    for (const [index, needed] of requirements.entries()) {
      const param = paramOf(needed)
      if (needed.in !== 'path' || param === null || params.includes(param)) continue
      const path = ['features', feature, 'requirements', index, needed.param === undefined ? 'in' : 'param']
      context.addIssue({
        code: 'custom',
        path,
        message: `must name a parameter of the page's path, which has no ":${param}"`,
      })
    }
  }
}
