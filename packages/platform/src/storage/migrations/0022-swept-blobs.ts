import type { Migration } from '../migrate.ts'

/**
 * What there is to know of the bytes of plugins' files, over all accounts, so that those nobody names are cleared away.
 * `touched_at` is when somebody last began or ended to store them, `made` tells one making of a row from the next, and
 * `doomed_at` says that `doomed_by` is deleting the bytes. Of an asset `created_at` is when it was last stored or named by
 * a deployment.
 */
export const sweptBlobs: Migration = {
  id: '0022-swept-blobs',
  statements: [
    `CREATE TABLE plugin_blobs (
      sha256 {text} PRIMARY KEY, account_id {text} NOT NULL, made {text} NOT NULL, touched_at {int} NOT NULL,
      doomed_at {int}, doomed_by {text}) {strict}`,
    `INSERT INTO plugin_blobs (sha256, account_id, made, touched_at)
      SELECT sha256, MIN(account_id), 'before', MAX(created_at) FROM plugin_assets GROUP BY sha256`,
    'CREATE INDEX plugin_assets_by_hash ON plugin_assets (sha256)',
    'CREATE INDEX plugin_files_by_hash ON plugin_files (sha256, account_id)',
  ],
}
