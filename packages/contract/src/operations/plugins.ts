import { ASSETS_BODY_MAX_BYTES, DEPLOY_BODY_MAX_BYTES, DEPLOY_BODY_MAX_VALUES } from '../limits.ts'
import type { Operation } from '../operation.ts'
import { domainPromotion, promoted } from '../resources/domain-routes.ts'
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
    description:
      'All of it is deployed and active, or nothing. The same content again answers the same deployment; other content under the same version is a 409 unless `overwrite` is true. Where assets are named by their hash alone and not stored yet, nothing is deployed, `success` is false and `missing` lists them.',
    body: newDeployment,
    files: 'inlineAssets',
    status: 200,
    response: deployed,
    errors: ['resource_exists', 'resource_missing', 'state_conflict'],
    emits: ['s_plugin_deployed', 's_plugin_activated', 's_funnel_updated'],
    idempotent: 'unit',
    limit: DEPLOY_BODY_MAX_BYTES,
    maxValues: DEPLOY_BODY_MAX_VALUES,
  },
  uploadAssets: {
    method: 'POST',
    path: '/api/plugins/v1/assets',
    audience: 'key',
    scope: 'plugins:write',
    summary: 'Store files that deployments can name by their hash',
    description:
      'A file is stored once, however many deployments name it, and counts as stored for this account alone. A large file, or many at a time, go one by one to `PUT /api/plugins/v1/assets/{sha256}`.',
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
    description:
      "What is not named stays, and so do the merchant's edits: presets are merged name by name from what was synchronised last. `updated` names what has really changed; equal content keeps the revision. A schema under which live presets would become invalid is a 409 unless `force` is true. A schema refers to nothing outside of itself, and its patterns are regular expressions without lookaround, backreferences and counts over 1,000; checking the presets by it takes at most 2 s and 64 MiB, or it is refused.",
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
    description:
      "What is not named stays, and so do the merchant's edits. `updated` names what has really changed; equal content keeps the revision.",
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
    description: 'Newest first. Deployments that another one has taken the place of are left out.',
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
    description:
      'Names either the deployment (`deploymentId`, `customDomain`, `basePath`) and stays with it, or what is active (`pluginId`, `storeId`, `hostname`, `path`) and follows it with every switch. A host name belongs to one account: outside `local` a TXT record proves it, and the refusal says which. Doing it again switches the route at once and keeps its id.',
    body: domainPromotion,
    status: 200,
    response: promoted,
    errors: ['resource_missing', 'resource_exists', 'state_conflict', 'upstream_failed', 'upstream_timeout'],
    emits: ['s_domain_route_created'],
    idempotent: 'unit',
  },
} as const satisfies Record<string, Operation>
