import type { AuthorSettings } from './content.ts'

/** What becomes of a value that author and merchant have both changed. Source: `POST .../sync-config`, `strategy`. */
export type Strategy = 'merge' | 'theirs' | 'ours' | 'strict'

type Named = Record<string, Record<string, unknown>>

/** What the two operations that bring settings up to date are sent; `null` where the plugin has nothing for one. */
export function syncBodies({ schema, uiSchema, presets, templates }: AuthorSettings): {
  config: { presets: Named; schema?: Record<string, unknown>; uiSchema?: Record<string, unknown> } | null
  templates: { templates: Named } | null
} {
  const hasConfig = schema !== null || uiSchema !== null || Object.keys(presets).length > 0
  return {
    config: hasConfig ? { presets, ...(schema !== null && { schema }), ...(uiSchema !== null && { uiSchema }) } : null,
    templates: Object.keys(templates).length > 0 ? { templates } : null,
  }
}
