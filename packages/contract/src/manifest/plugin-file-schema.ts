import { z } from 'zod'
import { pluginFile } from './plugin-file.ts'

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
