import { hash } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress, constants } from 'node:zlib'
import {
  baseHref,
  injectData,
  type MatchedPage,
  pageHeaders,
  type PageOrigins,
  pagePolicy,
  pageSecurity,
  type PageSecurity,
  type PluginManifest,
  type PluginMode,
} from '@tillwright/contract'
import { inlineHashes } from '@tillwright/contract/inline-hashes'
import { findStore, firstCurrency } from '../../catalog/index.ts'
import { findEntry, type FunnelEntry } from '../../funnels/index.ts'
import type { Database } from '../../storage/index.ts'
import { pageOrigin } from '../addresses.ts'
import type { ServedFile } from '../assets/index.ts'
import type { ServedDeployment } from '../served-deployment.ts'
import { configOf, readLive } from '../settings/index.ts'
import { acceptsBrotli, isUnchanged } from './negotiation.ts'
import type { PageRequest, PageServing } from './page-request.ts'
import { type PageAnswer, BytesMissing } from './status-page.ts'

const compress = promisify(brotliCompress)
/** Documents are compressed for each request, for each has its own data: quickly rather than well. */
const DOCUMENT_QUALITY = 4

interface DocumentParts {
  place: ServedDeployment
  file: ServedFile
  manifest: PluginManifest
  matched: MatchedPage | null
  request: PageRequest
}

/** Answers with a document: its data written into it, and a policy that is made of what it held before. */
export async function serveDocument(services: DocumentParts, serverContext: PageServing): Promise<PageAnswer> {
  const { place, file, request } = services
  const bytes = await serverContext.blobs.get(file.sha256)
  if (bytes === null) throw new BytesMissing(file.sha256)
  const html = new TextDecoder().decode(bytes)
  const origin = pageOrigin(request.hostname, serverContext.pluginsUrl)
  const publishableKey = await serverContext.pageKeys(place, origin)
  const data = await pageData({ ...services, publishableKey, origins: serverContext }, serverContext.services.db)
  const text = injectData(html, data, baseHref(place))
  return answer(text, { request, policy: pagePolicy(serverContext, inlineHashes(html), securityOf(services.manifest)) })
}

/** A manifest from before there was such a key may hold anything under it. */
function securityOf({ security }: PluginManifest): PageSecurity {
  return pageSecurity.safeParse(security).data ?? {}
}

async function answer(
  text: string,
  { request, policy }: { request: PageRequest; policy: string },
): Promise<PageAnswer> {
  const isCompressed = acceptsBrotli(request.header('accept-encoding'))
  const etag = `"${hash('sha256', text)}${isCompressed ? '-br' : ''}"`
  const headers = {
    ...pageHeaders,
    'Content-Type': 'text/html; charset=utf-8',
    'Cache-Control': 'no-cache',
    'Content-Security-Policy': policy,
    ETag: etag,
    Vary: 'Accept-Encoding',
  }
  if (isUnchanged(request.header('if-none-match'), etag)) return { status: 304, headers, body: null }
  if (!isCompressed) return { status: 200, headers, body: text }
  const body = await compress(text, { params: { [constants.BROTLI_PARAM_QUALITY]: DOCUMENT_QUALITY } })
  return { status: 200, headers: { ...headers, 'Content-Encoding': 'br' }, body }
}

/** Data that a page receives with its document. It never holds a secret key. */
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
  place: ServedDeployment
  manifest: PluginManifest
  matched: MatchedPage | null
  publishableKey: string
  origins: PageOrigins
}

/** Puts together what a page is told. */
export async function pageData(services: PageParts, db: Database): Promise<PageData> {
  const { place, manifest, matched, publishableKey, origins } = services
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

/**
 * Which file of a deployment is a page's document, the best first. A page of a plugin in direct mode has one of its own,
 * and the default page may also be `index.html`; an application has one for all of its pages.
 */
export function documentPaths(page: { id: string; isDefault?: boolean | undefined }, mode: PluginMode): string[] {
  const own = [`pages/${page.id}.html`, `${page.id}.html`]
  switch (mode) {
    case 'direct-mode':
      return page.isDefault === true ? [...own, 'index.html'] : own
    case 'spa-mode':
      return ['index.html', ...own]
  }
}
