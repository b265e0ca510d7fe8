import type { Contract } from '@tillwright/contract'
import type { Handlers } from '../call.ts'
import { activate, rollback } from './deployments/activate.ts'
import { listManaged } from './deployments/list-deployments.ts'
import { remove, restore } from './deployments/remove.ts'
import { updatePreview } from './deployments/update-preview.ts'
import { viewDeployment } from './deployments/view-deployment.ts'
import { listAliases, removeAlias, setAlias } from './domains/aliases.ts'
import { listDomains, removeDomain } from './domains/remove-domain.ts'
import type { PluginHosting } from './plugin-hosting.ts'
import { readSettings, restoreSettings, updateSettings } from './settings/edit-settings.ts'
import { listRevisions } from './settings/list-revisions.ts'

/** What becomes of deployments once they are there. */
export function pluginManagement(hosting: PluginHosting): Handlers<Contract['pluginManagement']> {
  const { pluginsUrl } = hosting
  return {
    list: listManaged(pluginsUrl),
    view: viewDeployment(hosting),
    activate: activate(pluginsUrl),
    rollback: rollback(pluginsUrl),
    remove: remove(pluginsUrl),
    restore: restore(pluginsUrl),
    updatePreview: updatePreview(pluginsUrl),
    aliases: listAliases(pluginsUrl),
    setAlias: setAlias(pluginsUrl),
    removeAlias,
    domains: listDomains,
    removeDomain,
    settings: readSettings,
    revisions: listRevisions,
    updateSettings: updateSettings(hosting.presets),
    restoreSettings,
  }
}
