import { z } from 'zod'
import { freeForm, recordOf } from '../free-form.ts'
import { idOf, referenceTo } from '../ids.ts'
import { POINTER_MAX_CHARS, PRESETS_MAX, SETTINGS_CONFLICTS_MAX } from '../limits.ts'
import { pageOf, pageQuery } from '../pagination.ts'
import { name, timestamp } from '../text.ts'
import { callerName } from './audit.ts'

const deploymentId = referenceTo('deployment', 'The deployment that the settings belong to.')
const settings = freeForm.meta({
  description: 'Settings, in the plugin’s own format.',
  examples: [{ colour: '#224466' }],
})
const named = recordOf(settings, PRESETS_MAX)
const patches = recordOf(settings.nullable(), PRESETS_MAX)
const pointer = z.string().max(POINTER_MAX_CHARS)

const expectedRevision = z
  .int()
  .min(0)
  .optional()
  .meta({
    description: 'The expected current revision. If it is another one, nothing changes and the response is a 409.',
    examples: [3],
  })
const force = z
  .boolean()
  .default(false)
  .meta({ description: 'Whether presets may become invalid under the schema.', examples: [false] })

/** Conflict handling and preconditions of a sync. */
const syncOptions = {
  strategy: z
    .enum(['merge', 'theirs', 'ours', 'strict'])
    .default('merge')
    .meta({
      description:
        'How to resolve values that the merchant has changed too: `merge` keeps them and reports them each time, `ours` keeps them for good, `theirs` takes the author’s, `strict` refuses the whole sync (409).',
      examples: ['merge'],
    }),
  dryRun: z
    .boolean()
    .default(false)
    .meta({ description: 'Whether to change nothing and only return what would happen.', examples: [false] }),
  expectedRevision,
  force,
}

/** The body of `POST /plugins/v2/deployment/sync-config`. Fields left out stay as they are. */
export const configSync = z.object({
  deploymentId,
  presets: named.optional().meta({
    description: 'Presets by name; names left out stay as they are. `meta` inside a preset is kept.',
    examples: [{ dark: { colour: '#111111', meta: { title: 'Dark' } } }],
  }),
  schema: freeForm.optional().meta({
    description: 'The JSON Schema of the settings.',
    examples: [{ type: 'object', properties: { colour: { type: 'string' } } }],
  }),
  uiSchema: freeForm
    .optional()
    .meta({ description: 'How a form presents the settings.', examples: [{ colour: { 'ui:widget': 'color' } }] }),
  ...syncOptions,
})
export type ConfigSync = z.output<typeof configSync>

/** The body of `POST /plugins/v2/deployment/sync-templates`. */
export const templatesSync = z.object({
  deploymentId,
  templates: named.meta({
    description: 'Templates by name; names left out stay as they are.',
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
        .meta({ description: 'A JSON pointer into the preset; empty for the preset itself.', examples: ['/colour'] }),
      message: z.string().meta({ description: 'The schema rule that is broken.', examples: ['must be string'] }),
    }),
  )
  .meta({
    description: 'Values that would become invalid under the schema: at most 50.',
    examples: [[]],
  })

/** The result of a sync. */
export const synced = z
  .object({
    success: z.literal(true).meta({ description: 'The settings are stored.', examples: [true] }),
    deploymentId: idOf('deployment', 'The deployment.'),
    revision: z.int().meta({
      description: 'The number of times the settings of the deployment have changed.',
      examples: [3],
    }),
    updated: z.array(z.string()).meta({
      description: 'Changed parts: `schema`, `uiSchema`, and names of presets or templates.',
      examples: [['schema', 'dark']],
    }),
    conflicts: z.array(z.string()).meta({
      description:
        'Values that the merchant has changed too and that were kept: at most 50 JSON pointers such as `/presets/dark/colour`.',
      examples: [[]],
    }),
    dryRun: z.boolean().meta({ description: 'Whether this was a dry run.', examples: [false] }),
    invalid,
  })
  .meta({ id: 'Synced' })

const decision = z.object({
  pointer: pointer.meta({ description: 'The pointer of the conflict.', examples: ['/presets/dark/colour'] }),
  author: z.unknown().meta({
    description: 'The author’s value that the conflict was reported with.',
    examples: ['#fff'],
  }),
})

/** The body of a merchant's edit. Fields left out stay as they are. */
export const settingsUpdate = z.object({
  deploymentId,
  presets: patches.optional().meta({
    description:
      'A JSON Merge Patch (RFC 7396) per preset name; a preset that does not exist is created, and null removes one.',
    examples: [{ dark: { colour: '#000000' } }],
  }),
  templates: patches.optional().meta({
    description: 'A JSON Merge Patch per template name, which creates and removes in the same way.',
    examples: [{ winter: { headline: 'Last days' } }],
  }),
  activePreset: name.optional().meta({ description: 'The preset to show on the pages.', examples: ['dark'] }),
  resolved: z
    .array(decision)
    .max(SETTINGS_CONFLICTS_MAX)
    .optional()
    .meta({
      description:
        'The `conflicts` that this edit decides. They are not reported any more until the author sends another value; without a value in `presets` or `templates` the live one stays. Where the author has sent another value since, the conflict stays open.',
      examples: [[{ pointer: '/presets/dark/colour', author: '#fff' }]],
    }),
  expectedRevision,
  force,
})
export type SettingsUpdate = z.output<typeof settingsUpdate>

/** The body for restoring an earlier revision. */
export const settingsRestore = z.object({
  deploymentId,
  revision: z
    .int()
    .min(0)
    .meta({ description: 'The revision to restore; 0 for no settings at all.', examples: [1] }),
})

/** The result of an edit. */
export const settingsChanged = z
  .object({
    success: z.literal(true).meta({ description: 'The settings are stored.', examples: [true] }),
    deploymentId: idOf('deployment', 'The deployment.'),
    revision: z.int().meta({ description: 'The current revision; unchanged if nothing changed.', examples: [4] }),
    updated: z
      .array(z.string())
      .meta({ description: 'Changed parts, as JSON pointers (RFC 6901).', examples: [['/presets/dark']] }),
  })
  .meta({ id: 'SettingsChanged' })

/** The query of the settings of a deployment. */
export const settingsQuery = z.object({
  revision: z.coerce
    .number()
    .int()
    .min(0)
    .optional()
    .meta({
      description: 'Reads the settings as they were at this revision, without conflicts; the current ones if left out.',
      examples: [2],
    }),
})

const conflict = z
  .object({
    pointer: pointer.meta({ description: 'A JSON pointer to the value.', examples: ['/presets/dark/colour'] }),
    author: z.unknown().meta({
      description: 'The value that the author has sent; null if the author has removed it.',
      examples: ['#fff'],
    }),
    base: z.unknown().meta({
      description: 'The value that both have changed, or null if there was none.',
      examples: ['#111111'],
    }),
  })
  .meta({ id: 'SettingsConflict' })

/** The live settings of a deployment. */
export const liveSettings = z
  .object({
    deploymentId: idOf('deployment', 'The deployment.'),
    revision: z
      .int()
      .meta({ description: 'The current revision: the number of times they have changed.', examples: [3] }),
    schema: freeForm
      .nullable()
      .meta({ description: 'The JSON Schema of the settings, or null.', examples: [{ type: 'object' }] }),
    uiSchema: freeForm.nullable().meta({ description: 'How a form presents the settings, or null.', examples: [null] }),
    presets: named.meta({
      description: 'The presets by name, in the author’s order; those the merchant added follow by name.',
      examples: [{ dark: { colour: '#111111' } }],
    }),
    templates: named.meta({
      description: 'The templates by name, in the same order.',
      examples: [{ winter: { colour: '#224466' } }],
    }),
    activePreset: z
      .string()
      .nullable()
      .meta({ description: 'The selected preset; null for `default`, or the first one.', examples: ['dark'] }),
    conflicts: z.array(conflict).meta({
      description:
        'Values that the merchant has changed and for which the author has sent another one since: at most 50. The live value is the merchant’s.',
      examples: [[]],
    }),
  })
  .meta({ id: 'LiveSettings' })

/** The query of the list of revisions. */
export const revisionsQuery = pageQuery.extend({ deploymentId })

/** The revisions of a deployment's settings, in pages. */
export const revisionPage = pageOf(
  z.object({
    revision: z.int().meta({ description: 'Its number.', examples: [3] }),
    source: z.enum(['author', 'merchant', 'restore', 'carried']).meta({
      description:
        'The origin of the revision: a sync, an edit, a restore, or the deployment that inherited the settings.',
      examples: ['merchant'],
    }),
    changed: z
      .array(z.string())
      .meta({ description: 'Changed parts, as JSON pointers (RFC 6901).', examples: [['/presets/dark', '/schema']] }),
    changedBy: z.string().meta({
      description: 'The member, or the API key, that has made the change.',
      examples: ['mem_0VbVJmlc4sQm9ZtKcWfH2d'],
    }),
    changedByName: callerName,
    createdAt: timestamp.meta({
      description: 'When the revision was created.',
      examples: ['2030-01-01T00:00:00.000Z'],
    }),
  }),
).meta({ id: 'SettingsRevisionPage' })
