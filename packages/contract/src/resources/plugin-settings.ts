import { z } from 'zod'
import { freeForm, recordOf } from '../free-form.ts'
import { idOf, referenceTo } from '../ids.ts'
import { PRESETS_MAX } from '../limits.ts'

const deploymentId = referenceTo('deployment', 'The deployment that the settings belong to.')
const settings = freeForm.meta({
  description: 'Settings, in the shape that the plugin wants.',
  examples: [{ colour: '#224466' }],
})
const named = recordOf(settings, PRESETS_MAX)

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
})
export type ConfigSync = z.output<typeof configSync>

/** The body of `POST /plugins/v2/deployment/sync-templates`. */
export const templatesSync = z.object({
  deploymentId,
  templates: named.meta({
    description: 'Templates by name; those not named stay.',
    examples: [{ winter: { colour: '#224466', headline: 'Winter sale' } }],
  }),
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
      description: 'What somebody else has changed meanwhile and was left alone: JSON pointers. Empty for now.',
      examples: [[]],
    }),
  })
  .meta({ id: 'Synced' })
