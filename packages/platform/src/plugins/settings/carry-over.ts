import type { Call, Write } from '../../request-context.ts'

/** A deployment takes over all settings of another one, with all that they were: it stands for the same version. */
export function takeOverSettings(from: string, to: string, { caller }: Pick<Call, 'caller'>): Write[] {
  const params = [to, caller.accountId, from]
  return [
    {
      sql: `INSERT INTO plugin_revisions (account_id, deployment_id, revision, source, created_at)
        SELECT account_id, ?, revision, source, created_at FROM plugin_revisions
        WHERE account_id = ? AND deployment_id = ?`,
      params,
    },
    {
      sql: `INSERT INTO plugin_settings (account_id, deployment_id, kind, name, revision, hash, value)
        SELECT account_id, ?, kind, name, revision, hash, value FROM plugin_settings
        WHERE account_id = ? AND deployment_id = ?`,
      params,
    },
    { sql: copyBases, params },
  ]
}

/**
 * A new version begins with the settings of the one before it as they are live, so that no edit of the merchant's is lost;
 * what they were stays with the other. They are one revision, of the same number.
 */
export function carrySettings(from: string, to: string, { caller, nowMs }: Pick<Call, 'caller' | 'nowMs'>): Write[] {
  const source = [caller.accountId, from]
  return [
    {
      sql: `INSERT INTO plugin_revisions (account_id, deployment_id, revision, source, created_at)
        SELECT account_id, ?, MAX(revision), 'carried', CAST(? AS BIGINT) FROM plugin_revisions
        WHERE account_id = ? AND deployment_id = ? GROUP BY account_id`,
      params: [to, nowMs, ...source],
    },
    {
      sql: `INSERT INTO plugin_settings (account_id, deployment_id, kind, name, revision, hash, value)
        SELECT s.account_id, ?, s.kind, s.name, r.revision, s.hash, s.value FROM plugin_settings s
        JOIN plugin_revisions r ON r.account_id = s.account_id AND r.deployment_id = ?
        WHERE s.account_id = ? AND s.deployment_id = ? AND s.revision = (SELECT MAX(o.revision) FROM plugin_settings o
          WHERE o.account_id = s.account_id AND o.deployment_id = s.deployment_id
            AND o.kind = s.kind AND o.name = s.name)`,
      params: [to, to, ...source],
    },
    { sql: copyBases, params: [to, ...source] },
  ]
}

const copyBases = `INSERT INTO plugin_setting_bases (account_id, deployment_id, kind, name, value)
  SELECT account_id, ?, kind, name, value FROM plugin_setting_bases WHERE account_id = ? AND deployment_id = ?`
