import type { Contract } from '@tillwright/contract'
import type { Handlers } from '../request-context.ts'
import { uploadAssets } from './assets/index.ts'
import { deploy } from './deploy/deploy.ts'
import { activate, listDeployments, listManaged, remove, restore, rollback } from './deployments/index.ts'
import { checkDomain, listAliases, listDomains, promote, removeAlias, removeDomain, setAlias } from './domains/index.ts'
import type { PluginHosting } from './hosting.ts'
import {
  listRevisions,
  readSettings,
  restoreSettings,
  syncConfig,
  syncTemplates,
  updateSettings,
} from './settings/index.ts'
import { listPlugins } from './store-plugins.ts'
import { updatePreview, viewDeployment, viewPicture } from './view-deployment.ts'

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

/** Handlers that manage existing deployments. */
export function pluginManagement(hosting: PluginHosting): Handlers<Contract['pluginManagement']> {
  const { pluginsUrl } = hosting
  return {
    plugins: listPlugins(pluginsUrl),
    list: listManaged(pluginsUrl),
    view: viewDeployment(hosting),
    activate: activate(pluginsUrl),
    rollback: rollback(pluginsUrl),
    remove: remove(pluginsUrl),
    restore: restore(pluginsUrl),
    updatePreview: updatePreview(pluginsUrl),
    picture: viewPicture(hosting),
    aliases: listAliases(pluginsUrl),
    setAlias: setAlias(pluginsUrl),
    removeAlias: removeAlias(pluginsUrl),
    domains: listDomains,
    checkDomain: checkDomain(hosting),
    removeDomain,
    settings: readSettings,
    revisions: listRevisions,
    updateSettings: updateSettings(hosting.presets),
    restoreSettings,
  }
}
