import type { Migration } from '../migrate.ts'

/** The pictures of deployments' pages: which stored assets a deployment shows under `/_previews/`. */
export const pluginPictures: Migration = {
  id: '0024-plugin-pictures',
  statements: [
    `CREATE TABLE plugin_pictures (
      account_id {text} NOT NULL, deployment_id {text} NOT NULL, sha256 {text} NOT NULL, size {int} NOT NULL,
      PRIMARY KEY (account_id, deployment_id, sha256)) {strict}`,
    'CREATE INDEX plugin_pictures_by_hash ON plugin_pictures (sha256, account_id)',
  ],
}
