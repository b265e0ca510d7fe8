import { ASSETS_BODY_MAX_BYTES, DEPLOY_BODY_MAX_BYTES } from '../limits.ts'
import type { Operation } from '../operation.ts'
import { promoted, promotion } from '../resources/domain-routes.ts'
import { newAssets, storedAssets } from '../resources/plugin-assets.ts'
import { deployed, deploymentsOfStore, newDeployment, pluginDeployments } from '../resources/plugin-deployments.ts'
import { configSync, synced, templatesSync } from '../resources/plugin-settings.ts'

/**
 * Source: reference, "POST /plugins/...". All answer 200: a deployment may have been there before or still wait for its
 * assets, and a promotion may only switch a route, so that "created" would often be untrue.
 */
export const plugins = {
  deploy: {
    method: 'POST',
    path: '/api/public/v1/plugins/v2/deploy',
    audience: 'key',
    scope: 'plugins:write',
    summary: 'Deploy a version of a plugin to a store',
    body: newDeployment,
    status: 200,
    response: deployed,
    errors: ['resource_exists', 'resource_missing', 'state_conflict'],
    emits: ['s_plugin_deployed', 's_plugin_activated', 's_funnel_updated'],
    idempotent: 'unit',
    limit: DEPLOY_BODY_MAX_BYTES,
  },
  uploadAssets: {
    method: 'POST',
    path: '/api/plugins/v1/assets',
    audience: 'key',
    scope: 'plugins:write',
    summary: 'Store files that deployments can name by their hash',
    body: newAssets,
    status: 200,
    response: storedAssets,
    errors: [],
    idempotent: 'unit',
    limit: ASSETS_BODY_MAX_BYTES,
  },
  syncConfig: {
    method: 'POST',
    path: '/api/public/v1/plugins/v2/deployment/sync-config',
    audience: 'key',
    scope: 'plugins:write',
    summary: 'Bring presets, schema and uiSchema of a deployment up to date',
    body: configSync,
    status: 200,
    response: synced,
    errors: ['resource_missing', 'state_conflict'],
    idempotent: 'unit',
  },
  syncTemplates: {
    method: 'POST',
    path: '/api/public/v1/plugins/v2/deployment/sync-templates',
    audience: 'key',
    scope: 'plugins:write',
    summary: 'Bring the templates of a deployment up to date',
    body: templatesSync,
    status: 200,
    response: synced,
    errors: ['resource_missing', 'state_conflict'],
    idempotent: 'unit',
  },
  deployments: {
    method: 'POST',
    path: '/api/public/v1/plugins/deployments',
    audience: 'key',
    scope: 'plugins:read',
    summary: 'List the deployments of a store',
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
    summary: 'Serve a deployment on a domain of your own',
    body: promotion,
    status: 200,
    response: promoted,
    errors: ['resource_missing', 'resource_exists', 'state_conflict', 'upstream_failed', 'upstream_timeout'],
    emits: ['s_domain_route_created'],
    idempotent: 'unit',
  },
} as const satisfies Record<string, Operation>
