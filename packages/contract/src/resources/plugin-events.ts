import { z } from 'zod'
import { idOf } from '../ids.ts'
import { follows } from './plugin-aliases.ts'

const pluginId = z.string().meta({ description: 'The plugin.', examples: ['one-page-checkout'] })
const deploymentId = idOf('deployment', 'The deployment.')
const deployed = {
  pluginId,
  deploymentId,
  version: z.string().meta({ description: 'The version from the manifest.', examples: ['1.4.0'] }),
}

const aliased = {
  name: z.string().meta({ description: 'The name of the alias, unique in the store.', examples: ['my-branch'] }),
  pluginId,
  deploymentId: deploymentId.meta({ description: 'The deployment that it leads to, or led to last.' }),
  follows: follows.meta({
    description: 'Whether the alias stays with the deployment or follows the active one.',
    examples: ['active'],
  }),
}

/** Event types of plugins, their deployments, settings and aliases: part of `eventTypes`. */
export const pluginEvents = {
  s_plugin_deployed: z.object(deployed).meta({ description: 'A version of a plugin was deployed to a store.' }),
  s_plugin_activated: z.object(deployed).meta({ description: 'A deployment became active in a store.' }),
  s_plugin_settings_updated: z
    .object({
      ...deployed,
      revision: z.int().meta({ description: 'The revision that the settings have now.', examples: [4] }),
      source: z
        .enum(['author', 'merchant', 'restore'])
        .meta({ description: 'A sync, an edit or a restore.', examples: ['merchant'] }),
    })
    .meta({ description: 'The settings of a deployment were changed, or what the author has sent last.' }),
  s_plugin_deployment_removed: z
    .object(deployed)
    .meta({ description: 'A deployment was removed; it can be restored for 24 hours.' }),
  s_plugin_deployment_restored: z.object(deployed).meta({ description: 'A removed deployment was restored.' }),
  s_plugin_deployment_hidden: z
    .object(deployed)
    .meta({ description: 'The pages of a deployment were taken offline; nothing of it was deleted.' }),
  s_plugin_deployment_shown: z
    .object(deployed)
    .meta({ description: 'The pages of a deployment that was offline are shown again.' }),
  s_plugin_preview_updated: z
    .object({
      ...deployed,
      previewId: z.string().meta({ description: 'The preview in `demoPreviews`.', examples: ['paid'] }),
      status: z.string().meta({ description: 'The status of its screenshots.', examples: ['ready'] }),
    })
    .meta({ description: 'The status of a preview’s screenshots was changed.' }),
  s_plugin_alias_created: z.object(aliased).meta({ description: 'An alias was created.' }),
  s_plugin_alias_updated: z.object(aliased).meta({ description: 'An alias leads to another deployment.' }),
  s_plugin_alias_deleted: z.object(aliased).meta({ description: 'An alias was deleted; its address returns 404.' }),
} as const
