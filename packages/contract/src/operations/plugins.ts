import { ASSETS_BODY_MAX_BYTES, DEPLOY_BODY_MAX_BYTES, DEPLOY_BODY_MAX_VALUES } from '../limits.ts'
import type { Operation } from '../operation.ts'
import { domainPromotion, promoted } from '../resources/domain-routes.ts'
import { newAssets, storedAssets } from '../resources/plugin-assets.ts'
import { deployed, deploymentsOfStore, newDeployment, pluginDeployments } from '../resources/plugin-deployments.ts'
import { configSync, synced, templatesSync } from '../resources/plugin-settings.ts'

/**
 * Source: reference, "POST /plugins/...". A deployment or a promotion is a 201 if it created a deployment or a route, and
 * a 200 if it did not.
 */
export const plugins = {
  deploy: {
    method: 'POST',
    path: '/api/public/v1/plugins/v2/deploy',
    audience: 'key',
    scope: 'plugins:write',
    summary: 'Deploy a plugin',
    description:
      'Deploys a version of a plugin to a store and activates it: completely, or not at all. The same content again returns the same deployment, and activates it; different content under the same version is a 409 unless `overwrite` is true. If assets are given by hash only and are not stored yet, nothing is deployed, `success` is false and `missing` lists them. The status is 201 for a new deployment; 200 for one that existed, for missing assets and for a dry run.',
    body: newDeployment,
    files: 'inlineAssets',
    status: 201,
    existingStatus: 200,
    response: deployed,
    errors: ['resource_exists', 'resource_missing', 'state_conflict'],
    emits: ['s_plugin_deployed', 's_plugin_activated', 's_funnel_updated'],
    idempotent: 'transaction',
    limit: DEPLOY_BODY_MAX_BYTES,
    maxValues: DEPLOY_BODY_MAX_VALUES,
  },
  uploadAssets: {
    method: 'POST',
    path: '/api/plugins/v1/assets',
    audience: 'key',
    scope: 'plugins:write',
    summary: 'Upload assets',
    description:
      'Stores files that deployments can refer to by hash. A file is stored once, however many deployments use it, and is visible to this account only. Upload large or numerous files one by one with `PUT /api/plugins/v1/assets/{sha256}`.',
    body: newAssets,
    status: 200,
    response: storedAssets,
    errors: ['state_conflict'],
    idempotent: 'transaction',
    limit: ASSETS_BODY_MAX_BYTES,
    files: 'assets',
  },
  syncConfig: {
    method: 'POST',
    path: '/api/public/v1/plugins/v2/deployment/sync-config',
    audience: 'key',
    scope: 'plugins:write',
    summary: 'Sync settings',
    description:
      'Updates the presets, schema and uiSchema of a deployment. Names you leave out stay, and so do the merchant’s edits: presets are merged by name with the last sync. `updated` lists what changed; equal content keeps the revision. A schema that would make live presets invalid is a 409 unless `force` is true. A schema cannot refer to anything outside itself, and its patterns cannot use lookaround, backreferences or repeat counts over 1,000. Validating the presets takes at most 2 s and 64 MiB, or the schema is refused.',
    body: configSync,
    status: 200,
    response: synced,
    errors: ['resource_missing', 'state_conflict'],
    emits: ['s_plugin_settings_updated'],
    idempotent: 'transaction',
  },
  syncTemplates: {
    method: 'POST',
    path: '/api/public/v1/plugins/v2/deployment/sync-templates',
    audience: 'key',
    scope: 'plugins:write',
    summary: 'Sync templates',
    description:
      'Updates the templates of a deployment. Names you leave out stay, and so do the merchant’s edits. `updated` lists what changed; equal content keeps the revision.',
    body: templatesSync,
    status: 200,
    response: synced,
    errors: ['resource_missing', 'state_conflict'],
    emits: ['s_plugin_settings_updated'],
    idempotent: 'transaction',
  },
  deployments: {
    method: 'POST',
    path: '/api/public/v1/plugins/deployments',
    audience: 'key',
    scope: 'plugins:read',
    summary: 'List deployments',
    description: 'Newest first, without deployments that were replaced by another one.',
    body: deploymentsOfStore,
    status: 200,
    response: pluginDeployments,
    errors: ['resource_missing'],
  },
  promoteToCustomDomain: {
    method: 'POST',
    path: '/api/public/v1/plugins/promote-to-custom-domain',
    audience: 'key',
    scope: 'plugins:write',
    summary: 'Promote a deployment to a domain',
    description:
      'Serves a deployment on your own domain. Name the deployment (`deploymentId`, `customDomain`, `basePath`) to stay with it, or the plugin (`pluginId`, `storeId`, `hostname`, `path`) to follow its active deployment. A host name belongs to one account: outside `local`, a TXT record proves ownership; the error contains the record to create. Repeating the request switches the route at once and keeps its id. The status is 201 for a new route and 200 for one that existed.',
    body: domainPromotion,
    status: 201,
    existingStatus: 200,
    response: promoted,
    errors: ['resource_missing', 'resource_exists', 'state_conflict', 'upstream_failed', 'upstream_timeout'],
    emits: ['s_domain_route_updated', 's_domain_route_created'],
    idempotent: 'transaction',
  },
} as const satisfies Record<string, Operation>
