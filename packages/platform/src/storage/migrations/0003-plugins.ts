import type { Migration } from '../migrate.ts'

/**
 * The tables of plugins and the domains that serve them. Rows of deployments, files and settings are never changed, but
 * for the mark that another deployment has taken a version's place: what is in use is told by activations and routes.
 *
 * A host name has one owner over all accounts, so its key is the name alone; so is a deployment's host.
 */
export const plugins: Migration = {
  id: '0003-plugins',
  statements: [
    `CREATE TABLE plugins (
      account_id {text} NOT NULL, id {text} NOT NULL, slug {text}, created_at {int} NOT NULL,
      PRIMARY KEY (account_id, id)) {strict}`,
    `CREATE UNIQUE INDEX plugins_by_slug ON plugins (account_id, slug) WHERE slug IS NOT NULL`,
    `CREATE TABLE plugin_assets (
      account_id {text} NOT NULL, sha256 {text} NOT NULL, size {int} NOT NULL, created_at {int} NOT NULL,
      PRIMARY KEY (account_id, sha256)) {strict}`,
    `CREATE TABLE plugin_deployments (
      account_id {text} NOT NULL, id {text} NOT NULL, store_id {text} NOT NULL, plugin_id {text} NOT NULL,
      version {text} NOT NULL, content_hash {text} NOT NULL, host {text} NOT NULL, mode {text} NOT NULL,
      size {int} NOT NULL, name {text} NOT NULL, description {text} NOT NULL, manifest {text} NOT NULL,
      details {text} NOT NULL, archived_at {int}, created_at {int} NOT NULL,
      PRIMARY KEY (account_id, id)) {strict}`,
    `CREATE UNIQUE INDEX plugin_deployments_live ON plugin_deployments (account_id, store_id, plugin_id, version)
      WHERE archived_at IS NULL`,
    `CREATE UNIQUE INDEX plugin_deployments_by_host ON plugin_deployments (host)`,
    `CREATE TABLE plugin_files (
      account_id {text} NOT NULL, deployment_id {text} NOT NULL, path {text} NOT NULL, sha256 {text} NOT NULL,
      content_type {text} NOT NULL, size {int} NOT NULL,
      PRIMARY KEY (account_id, deployment_id, path)) {strict}`,
    `CREATE TABLE plugin_activations (
      account_id {text} NOT NULL, store_id {text} NOT NULL, plugin_id {text} NOT NULL, deployment_id {text} NOT NULL,
      activated_at {int} NOT NULL,
      PRIMARY KEY (account_id, store_id, plugin_id)) {strict}`,
    `CREATE TABLE plugin_revisions (
      account_id {text} NOT NULL, deployment_id {text} NOT NULL, revision {int} NOT NULL, created_at {int} NOT NULL,
      PRIMARY KEY (account_id, deployment_id, revision)) {strict}`,
    `CREATE TABLE plugin_settings (
      account_id {text} NOT NULL, deployment_id {text} NOT NULL, kind {text} NOT NULL, name {text} NOT NULL,
      revision {int} NOT NULL, hash {text} NOT NULL, value {text} NOT NULL,
      PRIMARY KEY (account_id, deployment_id, kind, name, revision)) {strict}`,
    `CREATE TABLE domain_hostnames (
      hostname {text} PRIMARY KEY, account_id {text} NOT NULL, created_at {int} NOT NULL) {strict}`,
    `CREATE TABLE domain_routes (
      account_id {text} NOT NULL, id {text} NOT NULL, hostname {text} NOT NULL, path {text} NOT NULL,
      store_id {text} NOT NULL, plugin_id {text} NOT NULL, deployment_id {text} NOT NULL, created_at {int} NOT NULL,
      PRIMARY KEY (account_id, id)) {strict}`,
    `CREATE UNIQUE INDEX domain_routes_by_place ON domain_routes (hostname, path)`,
    `CREATE INDEX domain_routes_by_deployment ON domain_routes (account_id, deployment_id)`,
  ],
}
