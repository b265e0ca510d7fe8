import type { Contract } from '@tillwright/contract'
import type { Handlers } from '../call.ts'
import { deploy } from './deploy.ts'
import { listDeployments } from './deployments.ts'
import type { PluginHosting } from './plugin-hosting.ts'
import { promote } from './promote.ts'
import { uploadAssets } from './stored-assets.ts'
import { syncConfig, syncTemplates } from './sync-settings.ts'

/** Source: reference, "POST /plugins/...". */
export function plugins(hosting: PluginHosting): Handlers<Contract['plugins']> {
  return {
    deploy: deploy(hosting),
    uploadAssets: uploadAssets(hosting.blobs),
    syncConfig,
    syncTemplates,
    deployments: listDeployments(hosting.pluginsUrl),
    promoteToCustomDomain: promote(hosting),
  }
}
