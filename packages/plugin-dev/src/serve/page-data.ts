import type { MatchedPage } from '@tillwright/contract'
import type { Plugin } from '@tillwright/plugin-build'
import type { Binding } from '../binding/bind-plugin.ts'
import { stepIdOf } from '../binding/steps-of.ts'
import { settingsOf } from '../scenarios/settings-of.ts'
import { API_PATH, RENEW_PATH } from './addresses.ts'

/** What every page of a plugin is told while it is being written. */
export interface SharedData {
  v: 1
  publishableKey: string
  storeId: string
  deploymentId: 'dev'
  pluginId: string
  version: string
  basePath: '/'
  config: Readonly<Record<string, unknown>>
  templates: Readonly<Record<string, Record<string, unknown>>>
  session: { token: string; isPreview: true }
  /** Where a page whose token is refused gets another one. */
  renewUrl: string
}

/** What one page is told, as hosted pages are; `session` and `renewUrl` are the preview's. */
export interface DevPageData extends SharedData {
  apiUrl: string
  vaultUrl: string
  page: { id: string; path: string; params: Readonly<Record<string, string>> } | null
  funnel: { id: string; stepId: string } | null
}

/** What all pages are told alike, so that it can be told again when it changes. */
export function sharedData({ file, configuration, templates }: Plugin, binding: Binding): SharedData {
  const { scenario, shop, preview, publishableKey } = binding
  return {
    v: 1,
    publishableKey: publishableKey ?? '',
    storeId: shop.storeId,
    deploymentId: 'dev',
    pluginId: file.pluginId,
    version: file.version,
    basePath: '/',
    config: settingsOf(configuration, scenario),
    templates,
    session: { token: preview.token, isPreview: true },
    renewUrl: RENEW_PATH,
  }
}

/** Where a page was asked for. */
export interface AskedPage {
  matched: MatchedPage | null
  /** The origin by which the browser knows this server. */
  origin: string
  /** The origin by which it knows the vault. */
  vaultUrl: string
}

/** What a page is told with its document. */
export function pageData(plugin: Plugin, binding: Binding, { matched, origin, vaultUrl }: AskedPage): DevPageData {
  const page = matched && { id: matched.page.id, path: matched.page.path, params: matched.params }
  return {
    ...sharedData(plugin, binding),
    apiUrl: origin + API_PATH,
    vaultUrl,
    page,
    funnel: page && { id: binding.funnel.id, stepId: stepIdOf(page.id) },
  }
}
