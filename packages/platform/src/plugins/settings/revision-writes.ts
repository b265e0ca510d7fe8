import type { Call, Write } from '../../call.ts'
import { canonicalHash } from '../canonical-hash.ts'
import type { StoredSetting } from './live-settings.ts'

/** A change of settings to be recorded. */
export interface SettingsChange {
  deploymentId: string
  /** The number of the revision, if anything that is live has changed. */
  revision: number
  source: 'author' | 'merchant' | 'restore'
  changed: readonly StoredSetting[]
  /** What counts as synchronised by the author from now on, where that has changed. */
  bases: readonly StoredSetting[]
}

/** A number is taken once: a second change at the same time loses the race and looks again. */
export function revisionWrites(change: SettingsChange, { caller: { accountId }, nowMs }: Call): Write[] {
  const { deploymentId, revision, source, changed, bases } = change
  const revisions = {
    sql: 'INSERT INTO plugin_revisions (account_id, deployment_id, revision, source, created_at) VALUES (?, ?, ?, ?, ?)',
    params: [accountId, deploymentId, revision, source, nowMs],
  }
  return [
    ...(changed.length === 0 ? [] : [revisions]),
    ...changed.map(({ kind, name, value }) => ({
      sql: `INSERT INTO plugin_settings (account_id, deployment_id, kind, name, revision, hash, value)
        VALUES (?, ?, ?, ?, ?, ?, ?)`,
      params: [accountId, deploymentId, kind, name, revision, canonicalHash(value), JSON.stringify(value)],
    })),
    ...bases.map(({ kind, name, value }) => ({
      sql: `INSERT INTO plugin_setting_bases (account_id, deployment_id, kind, name, value) VALUES (?, ?, ?, ?, ?)
        ON CONFLICT (account_id, deployment_id, kind, name) DO UPDATE SET value = excluded.value`,
      params: [accountId, deploymentId, kind, name, JSON.stringify(value)],
    })),
  ]
}
