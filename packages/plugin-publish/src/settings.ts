import type { Client } from '@tillwright/client'
import type { AuthorSettings } from './content.ts'

/** The result of updating settings. */
export interface SyncedSettings {
  /** The names of changed schemas, presets and templates. */
  updated: string[]
  /** JSON pointers of values that the merchant has changed too. */
  conflicts: string[]
}

/** Options of `syncSettings`. */
export interface SyncOptions {
  client: Client
  signal: AbortSignal
  consent: Pick<Consent, 'force' | 'strategy'>
  /** Whether to write nothing and only return what would happen; false by default. */
  isDryRun?: boolean
}

/**
 * Updates the settings of a deployment; values that the author does not set are kept.
 *
 * @throws {TillwrightError} `state_conflict`, if a risk lacks consent.
 */
export async function syncSettings(
  settings: AuthorSettings,
  deploymentId: string,
  { client, signal, consent, isDryRun = false }: SyncOptions,
): Promise<SyncedSettings> {
  const { config, templates } = syncBodies(settings)
  const asked = { deploymentId, strategy: consent.strategy, force: consent.force, dryRun: isDryRun }
  // One after the other, because both expect the same revision.
  const first = config === null ? null : await client.plugins.syncConfig({ ...config, ...asked }, { signal })
  const second = templates === null ? null : await client.plugins.syncTemplates({ ...templates, ...asked }, { signal })
  const answers = [first, second].filter((answer) => answer !== null)
  return {
    updated: answers.flatMap(({ updated }) => updated),
    conflicts: answers.flatMap(({ conflicts }) => conflicts),
  }
}

/** How a value that author and merchant have both changed is resolved. Source: `POST .../sync-config`, `strategy`. */
export type Strategy = 'merge' | 'theirs' | 'ours' | 'strict'

type Named = Record<string, Record<string, unknown>>

/** The bodies of the two operations that update settings; `null` if the plugin has nothing for one. */
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

/** The publisher's consent to risks. */
export interface Consent {
  /** Whether a version that is deployed with other content may be replaced. */
  overwrite: boolean
  /** Whether live presets may become invalid. */
  force: boolean
  strategy: Strategy
}
