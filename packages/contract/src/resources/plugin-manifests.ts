import { z } from 'zod'
import { fitsManifest, freeForm, tooLongForManifest } from '../free-form.ts'
import { ownId } from '../ids.ts'
import { FEATURES_MAX, MANIFEST_PAGES_MAX, TAGS_MAX } from '../limits.ts'
import { hostPath } from '../paths.ts'
import { label, name, semver, text } from '../text.ts'
import { distinct, matchKeyOf, oneDefault } from './distinct-pages.ts'
import { pageSecurity } from './page-security.ts'

/** `direct-mode`: each page is a document of its own. `spa-mode`: all pages are one application. */
export const pluginMode = z.enum(['direct-mode', 'spa-mode'])
export type PluginMode = z.infer<typeof pluginMode>

/** A plugin's own id, the same in all versions and stores. */
export const pluginId = ownId

const requirement = z
  .union([
    name,
    z.looseObject({
      resource: label.optional().meta({ description: 'The required resource.', examples: ['product'] }),
    }),
  ])
  .meta({
    description: 'A required resource: its name, or an object.',
    examples: [{ resource: 'product' }],
  })

const feature = z.looseObject({
  type: name.meta({ description: 'The funnel features that the page supports.', examples: ['checkout'] }),
  requirements: z
    .array(requirement)
    .max(FEATURES_MAX)
    .default([])
    .meta({ description: 'Resources that the page requires.', examples: [[{ resource: 'product' }]] }),
})

/** The editor of a page. */
export const pageEditor = z.looseObject({
  type: label.optional().meta({ description: 'The type of the editor.', examples: ['internal'] }),
  url: z
    .string()
    .max(2_048)
    .optional()
    .meta({ description: 'The location of the editor.', examples: ['/editor'] }),
})

/** Description of a page's `remappable`. */
export const remappable =
  'Whether the page works at any path, so that a dashboard may offer to change it. Kept only: the console does not offer it, and a page is served at its own path below the path of the plugin’s domain.'

const page = z.looseObject({
  id: name.meta({ description: 'The id of the page, unique in the manifest.', examples: ['checkout'] }),
  path: hostPath.meta({
    description: 'The path of the page on its host, unique in the manifest. `:name` matches any single segment.',
    examples: ['/checkout'],
  }),
  name: label.optional().meta({ description: 'The name of the page in the dashboard.', examples: ['Checkout'] }),
  isDefault: z
    .boolean()
    .optional()
    .meta({ description: 'Whether the page is served at `/`; the first page by default.', examples: [true] }),
  remappable: z
    .boolean()
    .default(false)
    .meta({ description: remappable, examples: [true] }),
  features: z
    .array(feature)
    .max(FEATURES_MAX)
    .default([])
    .meta({ description: 'Abilities of the page in a funnel.', examples: [[{ type: 'checkout', requirements: [] }]] }),
  editor: pageEditor
    .optional()
    .meta({ description: 'The editor of the page.', examples: [{ type: 'internal', url: '/editor' }] }),
})

const requirements = z.looseObject({
  sdk: label.optional().meta({
    description:
      'The package of the SDK that the plugin was built with. Kept only: the files of a deployment do not tell which version they contain, so `tillwright build` and `publish` check it.',
    examples: ['@tillwright/plugin-sdk'],
  }),
  sdkVersion: label.optional().meta({
    description: 'The range of SDK versions that the plugin works with. Kept only, like `sdk`.',
    examples: ['^1.0.0'],
  }),
})

const hidden = (what: string) =>
  z
    .boolean()
    .default(false)
    .meta({
      description: `Whether a dashboard should hide ${what}. Kept only: the console hides nothing; a dashboard of yours reads it from the deployment’s manifest.`,
      examples: [false],
    })

/** Display options of a plugin in a dashboard. */
export const pluginUi = z.looseObject({
  hideDesignSelector: hidden('the design picker'),
  hideVersionSelector: hidden('the version picker'),
  hideConfigEditor: hidden('the configuration editor'),
})

/**
 * A plugin's manifest: at most 1 MiB as JSON. Unknown fields are kept, at every depth.
 *
 * Source: reference, "POST /plugins/v2/deploy".
 */
export const pluginManifest = z
  .looseObject({
    pluginId: pluginId.optional().meta({
      description: 'The id of the plugin, existing or new. Without it, the plugin is identified by its name.',
      examples: ['one-page-checkout'],
    }),
    name: name.meta({ description: 'The name of the plugin.', examples: ['One-page checkout'] }),
    version: semver.meta({
      description: 'The version of the plugin (Semantic Versioning 2.0.0).',
      examples: ['1.4.0'],
    }),
    pages: z
      .array(page)
      .min(1)
      .max(MANIFEST_PAGES_MAX)
      .superRefine(oneDefault)
      .superRefine(distinct('id', (id) => id))
      .superRefine(distinct('path', matchKeyOf))
      .meta({ description: 'The pages of the plugin.' }),
    description: text
      .optional()
      .meta({ description: 'A description of the plugin.', examples: ['Everything on one page.'] }),
    category: label.optional().meta({ description: 'The category of the plugin.', examples: ['checkout'] }),
    tags: z
      .array(label)
      .max(TAGS_MAX)
      .default([])
      .meta({ description: 'Keywords to find the plugin by.', examples: [['checkout']] }),
    mode: pluginMode.default('direct-mode').meta({
      description: 'Whether each page is a document of its own, or all pages are one application.',
      examples: ['spa-mode'],
    }),
    requirements: requirements.optional().meta({ description: 'Requirements of the plugin’s build.' }),
    config: freeForm
      .optional()
      .meta({ description: 'Settings, in the plugin’s own format.', examples: [{ colour: '#224466' }] }),
    defaultPreset: label.optional().meta({
      description: 'The preset that pages use until the merchant picks one.',
      examples: ['light'],
    }),
    ui: pluginUi.optional().meta({
      description:
        'Display options for a dashboard. Kept only: the console does not follow them; a dashboard of yours reads them from the deployment’s manifest.',
    }),
    security: pageSecurity
      .optional()
      .meta({ description: 'Third-party origins that the pages use; never for scripts or styles.' }),
  })
  .refine(fitsManifest, tooLongForManifest)
export type PluginManifest = z.output<typeof pluginManifest>
