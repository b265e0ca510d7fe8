import { z } from 'zod'
import { fitsManifest, freeForm, tooLongForManifest } from '../free-form.ts'
import { ownId } from '../ids.ts'
import { FEATURES_MAX, MANIFEST_PAGES_MAX, TAGS_MAX } from '../limits.ts'
import { hostPath } from '../paths.ts'
import { label, name, semver, text } from '../text.ts'
import { distinct, matchedBy, oneDefault } from './distinct-pages.ts'
import { pageSecurity } from './page-security.ts'

/** How a plugin's pages are made: each a document of its own, or all of them one application. */
export const pluginMode = z.enum(['direct-mode', 'spa-mode'])
export type PluginMode = z.infer<typeof pluginMode>

/** A plugin's own id: it stays the same over all versions and stores. */
export const pluginId = ownId

const requirement = z
  .union([
    name,
    z.looseObject({ resource: label.optional().meta({ description: 'What is needed.', examples: ['product'] }) }),
  ])
  .meta({
    description: 'A resource that the feature needs: its name, or an object.',
    examples: [{ resource: 'product' }],
  })

const feature = z.looseObject({
  type: name.meta({ description: 'What the page can be bound to in a funnel.', examples: ['checkout'] }),
  requirements: z
    .array(requirement)
    .max(FEATURES_MAX)
    .default([])
    .meta({ description: 'What the feature needs to work.', examples: [[{ resource: 'product' }]] }),
})

/** How a page is edited. */
export const pageEditor = z.looseObject({
  type: label.optional().meta({ description: 'Where the editor of the page comes from.', examples: ['internal'] }),
  url: z
    .string()
    .max(2_048)
    .optional()
    .meta({ description: 'Where the editor is.', examples: ['/editor'] }),
})

const page = z.looseObject({
  id: name.meta({ description: 'The id of the page, unique in the manifest.', examples: ['checkout'] }),
  path: hostPath.meta({
    description: 'Where the page stands on its host, unique in the manifest; `:name` stands for any one part.',
    examples: ['/checkout'],
  }),
  name: label.optional().meta({ description: 'What the page is called in the dashboard.', examples: ['Checkout'] }),
  isDefault: z
    .boolean()
    .optional()
    .meta({ description: 'Whether it is the page of `/`; the first one if none says so.', examples: [true] }),
  remappable: z
    .boolean()
    .default(false)
    .meta({ description: 'Whether a store may give the page another path.', examples: [true] }),
  features: z
    .array(feature)
    .max(FEATURES_MAX)
    .default([])
    .meta({ description: 'What the page can do in a funnel.', examples: [[{ type: 'checkout', requirements: [] }]] }),
  editor: pageEditor
    .optional()
    .meta({ description: 'How the page is edited.', examples: [{ type: 'internal', url: '/editor' }] }),
})

const requirements = z.looseObject({
  sdk: label
    .optional()
    .meta({ description: 'The SDK that the plugin is written with.', examples: ['@tillwright/plugin-sdk'] }),
  sdkVersion: label.optional().meta({ description: 'The range of its versions that will do.', examples: ['^1.0.0'] }),
})

const hidden = (what: string) =>
  z
    .boolean()
    .default(false)
    .meta({ description: `Whether the dashboard hides ${what}.`, examples: [false] })

/** What the dashboard shows of a plugin. */
export const pluginUi = z.looseObject({
  hideDesignSelector: hidden('the choice of a design'),
  hideVersionSelector: hidden('the choice of a version'),
  hideConfigEditor: hidden('the editor of the configuration'),
})

/**
 * What a plugin says of itself. Fields that nobody knows are kept, at every depth. At most 1 MiB as JSON.
 *
 * Source: reference, "POST /plugins/v2/deploy".
 */
export const pluginManifest = z
  .looseObject({
    pluginId: pluginId.optional().meta({
      description: 'The id of the plugin, new or not. Without one the plugin is known by its name.',
      examples: ['one-page-checkout'],
    }),
    name: name.meta({ description: 'The name of the plugin.', examples: ['One-page checkout'] }),
    version: semver.meta({
      description: 'The version of the plugin, by Semantic Versioning 2.0.0.',
      examples: ['1.4.0'],
    }),
    pages: z
      .array(page)
      .min(1)
      .max(MANIFEST_PAGES_MAX)
      .superRefine(oneDefault)
      .superRefine(distinct('id', (id) => id))
      .superRefine(distinct('path', matchedBy))
      .meta({ description: 'The pages of the plugin.' }),
    description: text.optional().meta({ description: 'What the plugin does.', examples: ['Everything on one page.'] }),
    category: label.optional().meta({ description: 'What kind of plugin it is.', examples: ['checkout'] }),
    tags: z
      .array(label)
      .max(TAGS_MAX)
      .default([])
      .meta({ description: 'Words to find it by.', examples: [['checkout']] }),
    mode: pluginMode.default('direct-mode').meta({
      description: 'Whether each page is a document of its own, or all are one application.',
      examples: ['spa-mode'],
    }),
    requirements: requirements.optional().meta({ description: 'What the plugin needs around it.' }),
    config: freeForm
      .optional()
      .meta({ description: 'Settings, in the shape that the plugin wants.', examples: [{ colour: '#224466' }] }),
    defaultPreset: label.optional().meta({
      description: 'The preset that pages work with until the merchant has chosen one.',
      examples: ['light'],
    }),
    ui: pluginUi.optional().meta({ description: 'What the dashboard shows of the plugin.' }),
    security: pageSecurity
      .optional()
      .meta({ description: 'The origins of others that the pages work with; never for scripts or styles.' }),
  })
  .refine(fitsManifest, tooLongForManifest)
export type PluginManifest = z.output<typeof pluginManifest>
