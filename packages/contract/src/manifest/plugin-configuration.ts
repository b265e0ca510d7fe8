import { z } from 'zod'
import { freeForm, recordOf } from '../free-form.ts'
import { PRESETS_MAX } from '../limits.ts'
import { assetPath } from '../paths.ts'
import { name } from '../text.ts'

/** An object, or the path of the JSON file that holds it. */
const fileOrObject = z.union([assetPath, freeForm], 'must be an object, or the path of a JSON file in the plugin')

/** Settings by name: of presets, and of templates. */
export const namedSettings = recordOf(fileOrObject, PRESETS_MAX)

/** How a plugin is configured: the form of its settings, and settings to begin with. */
export const pluginConfiguration = z.looseObject({
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
