import { z } from 'zod'
import { ownId } from '../ids.ts'
import { FEATURES_MAX } from '../limits.ts'
import { assetPath, hostPath } from '../paths.ts'
import { stepType } from '../resources/funnels.ts'
import { pageEditor } from '../resources/plugin-manifests.ts'
import { label, name } from '../text.ts'

/** What a part of a page's path that begins with `:` must look like behind it, so that code can name it. */
const paramName = /^[A-Za-z_][A-Za-z0-9_]{0,63}$/

/** The names of the parameters of a page's path, in order: `['orderId']` of `/thank-you/:orderId`. */
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
    'must not name the same parameter twice',
  )

/** A resource that a feature needs, and where the page finds the id of it. */
const featureRequirement = z.looseObject({
  resource: name.meta({ description: 'What is needed.', examples: ['order'] }),
  in: z
    .enum(['session', 'path', 'query'])
    .default('session')
    .meta({
      description: 'Where its id comes from: the buyer’s session, a parameter of the path, or the query.',
      examples: ['path'],
    }),
  param: name.optional().meta({
    description: 'The name of the parameter in path or query; the resource with `Id` behind it unless given.',
    examples: ['orderId'],
  }),
})
export type FeatureRequirement = z.output<typeof featureRequirement>

/** The name of the parameter that a requirement reads, or null where the session has it. */
export function paramOf({ resource, in: place, param }: FeatureRequirement): string | null {
  return place === 'session' ? null : (param ?? `${resource}Id`)
}

const pageFeature = z.looseObject({
  type: stepType.meta({
    description: 'The type of the funnel’s steps that the page serves.',
    examples: ['thank_you'],
  }),
  requirements: z
    .array(featureRequirement)
    .max(FEATURES_MAX)
    .default([])
    .meta({
      description: 'What the feature needs to work.',
      examples: [[{ resource: 'order', in: 'path', param: 'orderId' }]],
    }),
})

/** One page of a plugin, as its file names it. */
export const pluginPage = z
  .looseObject({
    id: ownId.meta({ description: 'The id of the page, unique in the plugin.', examples: ['thank-you'] }),
    path: pagePath.meta({
      description: 'Where the page stands on its host, unique in the plugin; `:name` stands for any one part.',
      examples: ['/thank-you/:orderId'],
    }),
    name: label.optional().meta({ description: 'What the page is called in the dashboard.', examples: ['Thank you'] }),
    isDefault: z
      .boolean()
      .optional()
      .meta({ description: 'Whether it is the page of `/`; the first one if none says so.', examples: [false] }),
    remappable: z
      .boolean()
      .default(false)
      .meta({ description: 'Whether a store may give the page another path.', examples: [true] }),
    features: z
      .array(pageFeature)
      .max(FEATURES_MAX)
      .default([])
      .meta({ description: 'What the page can do in a funnel.', examples: [[{ type: 'thank_you' }]] }),
    editor: pageEditor
      .optional()
      .meta({ description: 'How the page is edited.', examples: [{ type: 'internal', url: '/editor' }] }),
    entry: assetPath.optional().meta({
      description:
        'The module that the page begins with; `src/pages/<id>` with .tsx, .ts, .jsx or .js unless given. For direct-mode alone.',
      examples: ['src/pages/thank-you.tsx'],
    }),
  })
  .superRefine(inPath)
export type PluginPage = z.output<typeof pluginPage>

/** Refuses a requirement of a path's parameter that the page's path does not have. */
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
