import { z } from 'zod'
import { fitsManifest, freeForm, recordOf, tooLongForManifest } from '../free-form.ts'
import { DEPLOYMENT_MAX_BYTES, FEATURES_MAX, MANIFEST_PAGES_MAX, PRESETS_MAX, TAGS_MAX } from '../limits.ts'
import { assetPath } from '../paths.ts'
import { distinct, matchedBy, oneDefault } from '../resources/distinct-pages.ts'
import { pageSecurity } from '../resources/page-security.ts'
import { pluginId, pluginMode, pluginUi } from '../resources/plugin-manifests.ts'
import { label, name, semver, text, webAddress } from '../text.ts'
import { pluginPage } from './plugin-page.ts'

/** An object, or the path of the JSON file that holds it. */
const fileOrObject = z.union([assetPath, freeForm], 'must be an object, or the path of a JSON file in the plugin')

/** Settings by name: of presets, and of templates. */
const namedSettings = recordOf(fileOrObject, PRESETS_MAX)

/** How a plugin is configured: the form of its settings, and settings to begin with. */
const pluginConfiguration = z.looseObject({
  schema: fileOrObject.optional().meta({
    description: 'The JSON Schema (draft-07) of the settings: its file, or itself.',
    examples: ['config/schema.json'],
  }),
  uiSchema: fileOrObject.optional().meta({
    description: 'How a form shows the settings: its file, or itself.',
    examples: ['config/ui-schema.json'],
  }),
  presets: namedSettings.optional().meta({
    description: 'Settings to choose from, by name: their files, or themselves.',
    examples: [{ dark: 'config/presets/dark.json' }],
  }),
  defaultPreset: name
    .optional()
    .meta({ description: 'The preset that the plugin begins with; the first one unless given.', examples: ['dark'] }),
})

/** What the file is called, in the plugin's folder. */
export const PLUGIN_FILE = 'plugin.manifest.json'

const author = z.union(
  [
    name,
    z.looseObject({
      name: name.meta({ description: 'Who it is.', examples: ['Ada Lovelace'] }),
      email: z
        .email()
        .max(254)
        .optional()
        .meta({ description: 'Where to write to.', examples: ['ada@example.com'] }),
      url: webAddress.optional().meta({ description: 'Where to read more.', examples: ['https://ada.example'] }),
    }),
  ],
  'must be a name, or an object with name, email and url',
)

const publicVariable = z
  .string()
  .max(128)
  .regex(/^PUBLIC_[A-Z0-9_]+$/, 'must be the name of a variable that begins with "PUBLIC_", such as "PUBLIC_SHOP_URL"')

const requirements = z.looseObject({
  sdk: label
    .optional()
    .meta({ description: 'The SDK that the plugin is written with.', examples: ['@tillwright/plugin-sdk'] }),
  sdkVersion: label.optional().meta({ description: 'The range of its versions that will do.', examples: ['^1.0.0'] }),
  environment: z
    .array(publicVariable)
    .max(FEATURES_MAX)
    .optional()
    .meta({
      description: 'The variables without which the plugin is not built; all begin with `PUBLIC_`.',
      examples: [['PUBLIC_SHOP_URL']],
    }),
})

const bytes = z.int().min(1).max(DEPLOYMENT_MAX_BYTES)

const budgets = z.looseObject({
  pageBytes: bytes.optional().meta({
    description: 'The most bytes of document, scripts and styles that one page loads at first, compressed by brotli.',
    examples: [120_000],
  }),
  totalBytes: bytes.optional().meta({
    description: 'The most bytes of all files that the build makes public, uncompressed.',
    examples: [2_000_000],
  }),
})

const assets = z.looseObject({
  folder: assetPath
    .default('public')
    .meta({ description: 'The folder whose files are deployed as they are.', examples: ['public'] }),
})

/**
 * A plugin as the file at its root describes it, `plugin.manifest.json`. Keys that nobody knows are kept. Required:
 * pluginId, name, version and a page.
 */
export const pluginFile = z
  .looseObject({
    $schema: z
      .string()
      .max(2_048)
      .optional()
      .meta({
        description: 'Where editors find the JSON Schema of this file.',
        examples: ['http://localhost:4400/schemas/plugin.json'],
      }),
    pluginId: pluginId.meta({
      description: 'The id of the plugin: the same in every version and store.',
      examples: ['one-page-checkout'],
    }),
    name: name.meta({ description: 'The name of the plugin.', examples: ['One-page checkout'] }),
    version: semver.meta({
      description: 'The version of the plugin, by Semantic Versioning 2.0.0.',
      examples: ['1.4.0'],
    }),
    description: text.optional().meta({ description: 'What the plugin does.', examples: ['Everything on one page.'] }),
    category: label.optional().meta({ description: 'What kind of plugin it is.', examples: ['checkout'] }),
    tags: z
      .array(label)
      .max(TAGS_MAX)
      .optional()
      .meta({ description: 'Words to find it by.', examples: [['checkout', 'one-page']] }),
    author: author.optional().meta({ description: 'Who made it.', examples: ['Ada Lovelace'] }),
    license: label.optional().meta({ description: 'Its license, by SPDX identifier.', examples: ['MIT'] }),
    mode: pluginMode.default('direct-mode').meta({
      description: 'Whether each page is a document of its own, or all are one application.',
      examples: ['direct-mode'],
    }),
    pages: z
      .array(pluginPage)
      .min(1)
      .max(MANIFEST_PAGES_MAX)
      .superRefine(oneDefault)
      .superRefine(distinct('id', (id) => id.toLowerCase())) // ids become names of files
      .superRefine(distinct('path', matchedBy))
      .meta({ description: 'The pages of the plugin.' }),
    entry: assetPath.optional().meta({
      description:
        'The module that the application begins with; `src/app` with .tsx, .ts, .jsx or .js unless given. For spa-mode alone.',
      examples: ['src/app.tsx'],
    }),
    requirements: requirements.optional().meta({ description: 'What the plugin needs around it.' }),
    configuration: pluginConfiguration.optional().meta({ description: 'How a store configures the plugin.' }),
    templates: namedSettings.optional().meta({
      description: 'Named settings that a store can begin with: their files, or themselves.',
      examples: [{ winter: 'config/templates/winter.json' }],
    }),
    ui: pluginUi.optional().meta({ description: 'What the dashboard shows of the plugin.' }),
    security: pageSecurity
      .optional()
      .meta({ description: 'The origins of others that the pages work with; never for scripts or styles.' }),
    assets: assets.optional().meta({ description: 'Files that are deployed as they are.' }),
    budgets: budgets.optional().meta({ description: 'How large the build may become; it fails above.' }),
  })
  .refine(fitsManifest, tooLongForManifest)
export type PluginFile = z.output<typeof pluginFile>

/**
 * The JSON Schema (draft-07) of `plugin.manifest.json`, for editors. Stricter than the reader in one thing: an editor
 * marks every key that nobody knows, unless it begins with `x-`.
 */
export function pluginFileSchema(): z.core.JSONSchema.BaseSchema {
  const schema = z.toJSONSchema(pluginFile, {
    target: 'draft-7',
    io: 'input',
    override({ jsonSchema }) {
      if (jsonSchema.properties === undefined) return // an object of any names
      jsonSchema.additionalProperties = false
      jsonSchema.patternProperties = { '^x-': {} }
    },
  })
  return { ...schema, title: 'A Tillwright plugin', allowTrailingCommas: true }
}
