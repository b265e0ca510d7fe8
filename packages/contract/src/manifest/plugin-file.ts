import { z } from 'zod'
import { fitsManifest, freeForm, recordOf, tooLongForManifest } from '../free-form.ts'
import { DEPLOYMENT_MAX_BYTES, FEATURES_MAX, MANIFEST_PAGES_MAX, PRESETS_MAX, TAGS_MAX } from '../limits.ts'
import { assetPath } from '../paths.ts'
import { distinct, matchKeyOf, oneDefault } from '../resources/distinct-pages.ts'
import { pageSecurity } from '../resources/page-security.ts'
import { pluginId, pluginMode, pluginUi } from '../resources/plugin-manifests.ts'
import { label, name, semver, text, webAddress } from '../text.ts'
import { pluginPage } from './plugin-page.ts'

/** An object, or the path of a JSON file that contains it. */
const fileOrObject = z.union([assetPath, freeForm], 'must be an object, or the path of a JSON file in the plugin')

/** Settings by name, of presets or templates. */
const namedSettings = recordOf(fileOrObject, PRESETS_MAX)

/** A plugin's configuration: the schema of its settings, and initial settings. */
const pluginConfiguration = z.looseObject({
  schema: fileOrObject.optional().meta({
    description: 'The JSON Schema (draft-07) of the settings, inline or as a file.',
    examples: ['config/schema.json'],
  }),
  uiSchema: fileOrObject.optional().meta({
    description: 'How a form presents the settings, inline or as a file.',
    examples: ['config/ui-schema.json'],
  }),
  presets: namedSettings.optional().meta({
    description: 'Settings to choose from, by name, inline or as files.',
    examples: [{ dark: 'config/presets/dark.json' }],
  }),
  defaultPreset: name
    .optional()
    .meta({ description: 'The preset that the plugin starts with; the first one by default.', examples: ['dark'] }),
})

/** The name of the manifest file in a plugin's folder. */
export const PLUGIN_FILE = 'plugin.manifest.json'

const author = z.union(
  [
    name,
    z.looseObject({
      name: name.meta({ description: 'The author’s name.', examples: ['Ada Lovelace'] }),
      email: z
        .email()
        .max(254)
        .optional()
        .meta({ description: 'The author’s e-mail address.', examples: ['ada@example.com'] }),
      url: webAddress.optional().meta({ description: 'The author’s website.', examples: ['https://ada.example'] }),
    }),
  ],
  'must be a name, or an object with name, email and url',
)

const publicVariable = z
  .string()
  .max(128)
  .regex(/^PUBLIC_[A-Z0-9_]+$/, 'must be the name of a variable that starts with "PUBLIC_", such as "PUBLIC_SHOP_URL"')

const requirements = z.looseObject({
  sdk: label.optional().meta({
    description:
      'The package of the SDK that the plugin is built with: the build fails if it is not installed. `@tillwright/plugin-sdk` if only `sdkVersion` is given.',
    examples: ['@tillwright/plugin-sdk'],
  }),
  sdkVersion: label.optional().meta({
    description: 'The range of SDK versions that the plugin works with: the build fails with any other version.',
    examples: ['^1.0.0'],
  }),
  environment: z
    .array(publicVariable)
    .max(FEATURES_MAX)
    .optional()
    .meta({
      description: 'Environment variables that the build requires; all start with `PUBLIC_`.',
      examples: [['PUBLIC_SHOP_URL']],
    }),
})

const bytes = z.int().min(1).max(DEPLOYMENT_MAX_BYTES)

const budgets = z.looseObject({
  pageBytes: bytes.optional().meta({
    description: 'The maximum size of document, scripts and styles that a page loads initially, in bytes after brotli.',
    examples: [120_000],
  }),
  totalBytes: bytes.optional().meta({
    description: 'The maximum total size of all public files of the build, uncompressed, in bytes.',
    examples: [2_000_000],
  }),
})

const assets = z.looseObject({
  folder: assetPath
    .default('public')
    .meta({ description: 'A folder whose files are deployed unchanged.', examples: ['public'] }),
})

/**
 * A plugin as described by the file at its root, `plugin.manifest.json`. Unknown keys are kept. Required: pluginId,
 * name, version and a page.
 */
export const pluginFile = z
  .looseObject({
    $schema: z
      .string()
      .max(2_048)
      .optional()
      .meta({
        description: 'The JSON Schema of this file, for editors.',
        examples: ['./node_modules/@tillwright/cli/dist/plugin.schema.json'],
      }),
    pluginId: pluginId.meta({
      description: 'The id of the plugin, the same in every version and store.',
      examples: ['one-page-checkout'],
    }),
    name: name.meta({ description: 'The name of the plugin.', examples: ['One-page checkout'] }),
    version: semver.meta({
      description: 'The version of the plugin (Semantic Versioning 2.0.0).',
      examples: ['1.4.0'],
    }),
    description: text
      .optional()
      .meta({ description: 'A description of the plugin.', examples: ['Everything on one page.'] }),
    category: label.optional().meta({ description: 'The category of the plugin.', examples: ['checkout'] }),
    tags: z
      .array(label)
      .max(TAGS_MAX)
      .optional()
      .meta({ description: 'Keywords to find the plugin by.', examples: [['checkout', 'one-page']] }),
    author: author.optional().meta({ description: 'The author of the plugin.', examples: ['Ada Lovelace'] }),
    license: label.optional().meta({ description: 'The license, as an SPDX identifier.', examples: ['MIT'] }),
    mode: pluginMode.default('direct-mode').meta({
      description: 'Whether each page is a document of its own, or all pages are one application.',
      examples: ['direct-mode'],
    }),
    pages: z
      .array(pluginPage)
      .min(1)
      .max(MANIFEST_PAGES_MAX)
      .superRefine(oneDefault)
      .superRefine(distinct('id', (id) => id.toLowerCase())) // ids become file names
      .superRefine(distinct('path', matchKeyOf))
      .meta({ description: 'The pages of the plugin.' }),
    entry: assetPath.optional().meta({
      description:
        'The entry module of the application; `src/app` with .tsx, .ts, .jsx or .js by default. Only for spa-mode.',
      examples: ['src/app.tsx'],
    }),
    requirements: requirements.optional().meta({ description: 'Requirements of the build.' }),
    configuration: pluginConfiguration.optional().meta({ description: 'The plugin’s configuration in a store.' }),
    templates: namedSettings.optional().meta({
      description: 'Templates by name, inline or as files.',
      examples: [{ winter: 'config/templates/winter.json' }],
    }),
    ui: pluginUi.optional().meta({
      description:
        'Display options for a dashboard. Kept only: the console does not follow them; a dashboard of yours reads them from the deployment’s manifest.',
    }),
    security: pageSecurity
      .optional()
      .meta({ description: 'Third-party origins that the pages use; never for scripts or styles.' }),
    assets: assets.optional().meta({ description: 'Files to deploy unchanged.' }),
    budgets: budgets.optional().meta({ description: 'Size limits; the build fails if it exceeds them.' }),
  })
  .refine(fitsManifest, tooLongForManifest)
export type PluginFile = z.output<typeof pluginFile>

/**
 * The JSON Schema (draft-07) of `plugin.manifest.json`, for editors. It is stricter than the reader: editors mark every
 * unknown key that does not start with `x-`.
 */
export function pluginFileSchema(): z.core.JSONSchema.BaseSchema {
  const schema = z.toJSONSchema(pluginFile, {
    target: 'draft-7',
    io: 'input',
    override({ jsonSchema }) {
      if (jsonSchema.properties === undefined) return // an object with arbitrary names
      jsonSchema.additionalProperties = false
      jsonSchema.patternProperties = { '^x-': {} }
    },
  })
  return { ...schema, title: 'A Tillwright plugin', allowTrailingCommas: true }
}
