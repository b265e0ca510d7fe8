import type { Migration } from '../migrate.ts'

/**
 * What merging settings needs: who made a revision, and the value that the author synchronised last, beside the one that
 * is live. Until now nobody but the author could change one, so that both are the same.
 */
export const pluginSettings: Migration = {
  id: '0020-plugin-settings',
  statements: [
    `ALTER TABLE plugin_revisions ADD COLUMN source {text} NOT NULL DEFAULT 'author'`,
    `CREATE TABLE plugin_setting_bases (
      account_id {text} NOT NULL, deployment_id {text} NOT NULL, kind {text} NOT NULL, name {text} NOT NULL,
      value {text} NOT NULL,
      PRIMARY KEY (account_id, deployment_id, kind, name)) {strict}`,
    `INSERT INTO plugin_setting_bases (account_id, deployment_id, kind, name, value)
      SELECT s.account_id, s.deployment_id, s.kind, s.name, s.value FROM plugin_settings s
      WHERE s.kind IN ('preset', 'template') AND s.revision = (SELECT MAX(o.revision) FROM plugin_settings o
        WHERE o.account_id = s.account_id AND o.deployment_id = s.deployment_id AND o.kind = s.kind AND o.name = s.name)`,
  ],
}
