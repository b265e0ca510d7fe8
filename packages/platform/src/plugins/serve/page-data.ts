import type { MatchedPage, PluginManifest } from '@tillwright/contract'
import { configOf } from '../settings/config-of.ts'
import { readLive } from '../settings/live-settings.ts'
import type { Database } from '../../storage/database.ts'
import type { Place } from './find-place.ts'
import type { PageOrigins } from './page-policy.ts'

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
  /** Sessions begin in the page. */
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
  const { storeId, deploymentId, pluginId, version, basePath } = place
  const live = await readLive(place, db)
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
    config: configOf(live, manifest.config),
    templates: live.templates,
    session: null,
  }
}
