import type { AuthorSettings } from './content.ts'
import type { Consent } from './check-consent.ts'
import type { Place } from './read-remote.ts'
import { syncBodies } from './sync-bodies.ts'

/** What became of settings. */
export interface SyncedSettings {
  /** The names of what changed. */
  updated: string[]
  /** JSON pointers of what the merchant has changed too. */
  conflicts: string[]
}

/** Whom to ask, and what is agreed to. */
export interface Syncing extends Pick<Place, 'client' | 'signal'> {
  consent: Pick<Consent, 'force' | 'strategy'>
  /** Whether to write nothing, and say what would happen. Not unless given. */
  isDryRun?: boolean
}

/**
 * Brings the settings of a deployment up to date; what the author does not name stays.
 *
 * @throws {TillwrightError} `state_conflict`, when something is endangered that nobody has agreed to.
 */
export async function syncSettings(
  settings: AuthorSettings,
  deploymentId: string,
  { client, signal, consent, isDryRun = false }: Syncing,
): Promise<SyncedSettings> {
  const { config, templates } = syncBodies(settings)
  const asked = { deploymentId, strategy: consent.strategy, force: consent.force, dryRun: isDryRun }
  // One after the other: both count the same revision.
  const first = config === null ? null : await client.plugins.syncConfig({ ...config, ...asked }, { signal })
  const second = templates === null ? null : await client.plugins.syncTemplates({ ...templates, ...asked }, { signal })
  const answers = [first, second].filter((answer) => answer !== null)
  return {
    updated: answers.flatMap(({ updated }) => updated),
    conflicts: answers.flatMap(({ conflicts }) => conflicts),
  }
}
