import type { MatchedPage, PageOrigins, PluginManifest } from '@tillwright/contract'
import { findStore, firstCurrency } from '../../catalog/stores.ts'
import { findEntry, type FunnelEntry } from '../../funnels/funnel-pages.ts'
import { configOf } from '../settings/config-of.ts'
import { readLive } from '../settings/live-settings.ts'
import type { Database } from '../../storage/database.ts'
import type { Place } from './find-place.ts'

/** What a page is told with its document. It never holds a secret key. */
export interface PageData extends PageOrigins {
  v: 1
  publishableKey: string
  storeId: string
  deploymentId: string
  pluginId: string
  version: string
  /** Where the plugin's pages begin on this host. */
  basePath: string
  /** `null` for a document that is no page of the manifest. */
  page: { id: string; path: string; params: Readonly<Record<string, string>> } | null
  config: Record<string, unknown>
  templates: Readonly<Record<string, Record<string, unknown>>>
  /** The step of the store's newest active funnel that shows this page, or `null`. */
  funnel: FunnelEntry | null
  /** The language and the currency of the store, or `null` where it has not said. */
  locale: string | null
  currency: string | null
  /** Sessions begin in the page, or are handed over to it in the fragment of its address. */
  session: null
}

interface PageParts {
  place: Place
  manifest: PluginManifest
  matched: MatchedPage | null
  publishableKey: string
  origins: PageOrigins
}

/** Puts together what a page is told. */
export async function pageData(parts: PageParts, db: Database): Promise<PageData> {
  const { place, manifest, matched, publishableKey, origins } = parts
  const { accountId, storeId, deploymentId, pluginId, version, basePath } = place
  const [live, store, funnel] = await Promise.all([
    readLive(place, db),
    findStore(storeId, accountId, db),
    matched && findEntry({ accountId, storeId, pluginId, pageId: matched.page.id }, db),
  ])
  return {
    v: 1,
    apiUrl: origins.apiUrl,
    vaultUrl: origins.vaultUrl,
    publishableKey,
    storeId,
    deploymentId,
    pluginId,
    version,
    basePath,
    page: matched && { id: matched.page.id, path: matched.page.path, params: matched.params },
    config: configOf(live, manifest),
    templates: live.templates,
    funnel,
    locale: store?.syncLocale ?? null,
    currency: firstCurrency(store),
    session: null,
  }
}
