import type { Migration } from '../migrate.ts'

/**
 * What serving and managing deployments needs. `removed_at` is the tombstone of a deployment, `swept_at` says that its
 * files are gone. An activation has a number, taken once, in a log that is only added to: `before` is the number of the
 * one that a rollback goes back to. An alias and a domain follow what is active, or stay with one deployment.
 */
export const pluginHosting: Migration = {
  id: '0019-plugin-hosting',
  statements: [
    'ALTER TABLE plugin_deployments ADD COLUMN removed_at {int}',
    'ALTER TABLE plugin_deployments ADD COLUMN swept_at {int}',
    `CREATE INDEX plugin_deployments_by_plugin
      ON plugin_deployments (account_id, store_id, plugin_id, created_at)`,
    `CREATE INDEX plugin_deployments_removed ON plugin_deployments (removed_at)
      WHERE removed_at IS NOT NULL AND swept_at IS NULL`,
    'ALTER TABLE plugin_activations ADD COLUMN number {int} NOT NULL DEFAULT 1',
    `CREATE TABLE plugin_activation_log (
      account_id {text} NOT NULL, store_id {text} NOT NULL, plugin_id {text} NOT NULL, number {int} NOT NULL,
      before {int}, deployment_id {text} NOT NULL, activated_at {int} NOT NULL,
      PRIMARY KEY (account_id, store_id, plugin_id, number)) {strict}`,
    `INSERT INTO plugin_activation_log (account_id, store_id, plugin_id, number, before, deployment_id, activated_at)
      SELECT account_id, store_id, plugin_id, 1, NULL, deployment_id, activated_at FROM plugin_activations`,
    `CREATE TABLE plugin_aliases (
      account_id {text} NOT NULL, store_id {text} NOT NULL, name {text} NOT NULL, host {text} NOT NULL,
      plugin_id {text} NOT NULL, deployment_id {text} NOT NULL, follows {int} NOT NULL, created_at {int} NOT NULL,
      PRIMARY KEY (account_id, store_id, name)) {strict}`,
    'CREATE UNIQUE INDEX plugin_aliases_by_host ON plugin_aliases (host)',
    'CREATE INDEX plugin_aliases_by_deployment ON plugin_aliases (account_id, deployment_id)',
    'ALTER TABLE domain_routes ADD COLUMN follows {int} NOT NULL DEFAULT 0',
    'CREATE INDEX domain_routes_by_plugin ON domain_routes (account_id, store_id, plugin_id)',
  ],
}
