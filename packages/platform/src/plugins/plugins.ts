import type { Contract } from '@tillwright/contract'
import type { Handlers } from '../call.ts'
import { deploy } from './deploy/deploy.ts'
import { listDeployments } from './deployments/deployments.ts'
import type { PluginHosting } from './plugin-hosting.ts'
import { promote } from './domains/promote.ts'
import { uploadAssets } from './deploy/stored-assets.ts'
import { syncConfig, syncTemplates } from './settings/sync-settings.ts'

/** Source: reference, "POST /plugins/...". */
export function plugins(hosting: PluginHosting): Handlers<Contract['plugins']> {
  return {
    deploy: deploy(hosting),
    uploadAssets: uploadAssets(hosting.blobs),
    syncConfig: syncConfig(hosting.presets),
    syncTemplates: syncTemplates(hosting.presets),
    deployments: listDeployments(hosting.pluginsUrl),
    promoteToCustomDomain: promote(hosting),
  }
}
