import { z } from 'zod'
import { freeForm, recordOf } from '../free-form.ts'
import { idOf, referenceTo } from '../ids.ts'
import { PRESETS_MAX } from '../limits.ts'
import { pageOf, pageQuery } from '../pagination.ts'
import { name, timestamp } from '../text.ts'

const deploymentId = referenceTo('deployment', 'The deployment that the settings belong to.')
const settings = freeForm.meta({
  description: 'Settings, in the shape that the plugin wants.',
  examples: [{ colour: '#224466' }],
})
const named = recordOf(settings, PRESETS_MAX)

const expectedRevision = z
  .int()
  .min(0)
  .optional()
  .meta({ description: 'The revision that the settings are at; at any other nothing is done (409).', examples: [3] })
const force = z
  .boolean()
  .default(false)
  .meta({ description: 'Whether presets may become invalid under the schema.', examples: [false] })

/** How what author and merchant have both changed is settled, and what has to hold before anything is written. */
const syncOptions = {
  strategy: z
    .enum(['merge', 'theirs', 'ours', 'strict'])
    .default('merge')
    .meta({
      description:
        "What becomes of a value that the merchant has changed too: `merge` leaves it and tells of it each time, `ours` leaves it for good, `theirs` takes the author's, `strict` refuses the whole (409).",
      examples: ['merge'],
    }),
  dryRun: z
    .boolean()
    .default(false)
    .meta({ description: 'Whether to write nothing and answer what would happen.', examples: [false] }),
  expectedRevision,
  force,
}

/** The body of `POST /plugins/v2/deployment/sync-config`. What it does not name stays as it is. */
export const configSync = z.object({
  deploymentId,
  presets: named.optional().meta({
    description: 'Presets by name; those not named stay. `meta` inside a preset is kept.',
    examples: [{ dark: { colour: '#111111', meta: { title: 'Dark' } } }],
  }),
  schema: freeForm.optional().meta({
    description: 'The JSON Schema of the settings.',
    examples: [{ type: 'object', properties: { colour: { type: 'string' } } }],
  }),
  uiSchema: freeForm
    .optional()
    .meta({ description: 'How a form shows the settings.', examples: [{ colour: { 'ui:widget': 'color' } }] }),
  ...syncOptions,
})
export type ConfigSync = z.output<typeof configSync>

/** The body of `POST /plugins/v2/deployment/sync-templates`. */
export const templatesSync = z.object({
  deploymentId,
  templates: named.meta({
    description: 'Templates by name; those not named stay.',
    examples: [{ winter: { colour: '#224466', headline: 'Winter sale' } }],
  }),
  ...syncOptions,
})
export type TemplatesSync = z.output<typeof templatesSync>

const invalid = z
  .array(
    z.object({
      preset: z.string().meta({ description: 'The name of the preset.', examples: ['dark'] }),
      pointer: z
        .string()
        .meta({ description: 'A JSON pointer into the preset; empty for all of it.', examples: ['/colour'] }),
      message: z.string().meta({ description: 'The rule of the schema.', examples: ['must be string'] }),
    }),
  )
  .meta({
    description: 'Where presets would break the schema that they kept before: at most 50 places.',
    examples: [[]],
  })

/** What a synchronisation came to. */
export const synced = z
  .object({
    success: z.literal(true).meta({ description: 'That the settings are stored.', examples: [true] }),
    deploymentId: idOf('deployment', 'The deployment.'),
    revision: z.int().meta({
      description: 'How often the settings of the deployment have changed so far; the same when nothing did.',
      examples: [3],
    }),
    updated: z.array(z.string()).meta({
      description: 'What changed: `schema`, `uiSchema`, and the names of presets or templates.',
      examples: [['schema', 'dark']],
    }),
    conflicts: z.array(z.string()).meta({
      description:
        'What the merchant has changed too and was left alone: JSON pointers such as `/presets/dark/colour`.',
      examples: [[]],
    }),
    dryRun: z.boolean().meta({ description: 'Whether nothing was written.', examples: [false] }),
    invalid,
  })
  .meta({ id: 'Synced' })

/** The body of a merchant's edit. What it does not name stays as it is. */
export const settingsUpdate = z.object({
  deploymentId,
  presets: named.optional().meta({
    description: 'A JSON Merge Patch (RFC 7396) for each preset by name; one that is not there is made.',
    examples: [{ dark: { colour: '#000000' } }],
  }),
  templates: named.optional().meta({
    description: 'A JSON Merge Patch for each template by name.',
    examples: [{ winter: { headline: 'Last days' } }],
  }),
  activePreset: name.optional().meta({ description: 'The preset that the pages are to show.', examples: ['dark'] }),
  expectedRevision,
  force,
})
export type SettingsUpdate = z.output<typeof settingsUpdate>

/** The body that brings settings back to what they were. */
export const settingsRestore = z.object({
  deploymentId,
  revision: z
    .int()
    .min(0)
    .meta({ description: 'The revision that they are to be as; 0 for none at all.', examples: [1] }),
})

/** What an edit came to. */
export const settingsChanged = z
  .object({
    success: z.literal(true).meta({ description: 'That the settings are stored.', examples: [true] }),
    deploymentId: idOf('deployment', 'The deployment.'),
    revision: z.int().meta({ description: 'The revision now; the same when nothing changed.', examples: [4] }),
    updated: z
      .array(z.string())
      .meta({ description: 'What changed, as JSON pointers.', examples: [['/presets/dark']] }),
  })
  .meta({ id: 'SettingsChanged' })

/** The settings of a deployment as they are live. */
export const liveSettings = z
  .object({
    deploymentId: idOf('deployment', 'The deployment.'),
    revision: z.int().meta({ description: 'How often they have changed.', examples: [3] }),
    schema: freeForm
      .nullable()
      .meta({ description: 'The JSON Schema of the settings, or null.', examples: [{ type: 'object' }] }),
    uiSchema: freeForm.nullable().meta({ description: 'How a form shows them, or null.', examples: [null] }),
    presets: named.meta({ description: 'The presets by name.', examples: [{ dark: { colour: '#111111' } }] }),
    templates: named.meta({ description: 'The templates by name.', examples: [{ winter: { colour: '#224466' } }] }),
    activePreset: z
      .string()
      .nullable()
      .meta({ description: 'The preset that was chosen; null for `default`, or the first.', examples: ['dark'] }),
  })
  .meta({ id: 'LiveSettings' })

/** The query of the list of revisions. */
export const revisionsQuery = pageQuery.extend({ deploymentId })

/** The revisions of a deployment's settings, in pages. */
export const revisionPage = pageOf(
  z.object({
    revision: z.int().meta({ description: 'Its number.', examples: [3] }),
    source: z.enum(['author', 'merchant', 'restore', 'carried']).meta({
      description: 'Who made it: a synchronisation, an edit, a restoring, or the deployment that took them over.',
      examples: ['merchant'],
    }),
    changed: z
      .array(z.string())
      .meta({ description: 'What changed, as JSON pointers.', examples: [['/presets/dark', '/schema']] }),
    createdAt: timestamp.meta({ description: 'When it was made.', examples: ['2030-01-01T00:00:00.000Z'] }),
  }),
).meta({ id: 'SettingsRevisionPage' })
