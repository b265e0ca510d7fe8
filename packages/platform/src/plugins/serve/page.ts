import { hash } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress, constants } from 'node:zlib'
import {
  asksForServiceWorker,
  baseHref,
  injectData,
  type MatchedPage,
  matchPage,
  pageHeaders,
  type PageOrigins,
  googlePaySources,
  pagePolicy,
  pageSecurity,
  type PageSecurity,
  type PluginManifest,
  type PluginMode,
  readPath,
  withoutServiceWorker,
} from '@tillwright/contract'
import { inlineHashes } from '@tillwright/contract/inline-hashes'
import { findStore, firstCurrency } from '../../catalog/index.ts'
import { findEntry, type FunnelEntry } from '../../funnels/index.ts'
import { isUnchanged } from '../../runtime/index.ts'
import { type Database, pick, rowReader } from '../../storage/index.ts'
import { pageOrigin } from '../addresses.ts'
import { findFile, findFormerFile, findPicture, isDocument, type ServedFile } from '../assets/index.ts'
import { listWallets } from '../../vault/index.ts'
import { findServedDeployment, type ServedDeployment } from '../served-deployment.ts'
import { configOf, readLive } from '../settings/index.ts'
import { pluginDeploymentsTable } from '../tables.ts'
import { serveAsset } from './asset.ts'
import { acceptsBrotli } from './negotiation.ts'
import type { PageRequest, PageServing } from './page-request.ts'
import { BytesMissing, type PageAnswer, statusPage } from './status-page.ts'

/** Answers a request to a plugin's host; `null` when the host is none. */
export async function servePage(request: PageRequest, serverContext: PageServing): Promise<PageAnswer | null> {
  const { hostname, target, method } = request
  // Also where no plugin is any more: a worker from before would answer there for ever.
  if (asksForServiceWorker(request.header('service-worker'))) return { status: 200, ...withoutServiceWorker }
  const path = readPath(target)
  const pluginsHost = new URL(serverContext.pluginsUrl).hostname
  const found = await findServedDeployment(
    { hostname, path: path ?? '/' },
    { db: serverContext.services.db, pluginsHost },
  )
  if (found.outcome === 'unassigned') return null
  if (path === null) return statusPage('unreadable')
  if (method !== 'GET' && method !== 'HEAD') return statusPage('method')
  if (found.outcome !== 'place') return statusPage(found.outcome)
  return fromPlace(found.place, request, serverContext)
}

async function fromPlace(
  place: ServedDeployment,
  request: PageRequest,
  serverContext: PageServing,
): Promise<PageAnswer> {
  const { db } = serverContext.services
  const path = place.path.slice(1)
  const file = await findFile([path], place, db)
  if (file !== null && !isDocument(file)) return isPublic(file) ? serveAsset(file, request, serverContext) : notThere
  const picture = file === null ? await findPicture(path, place, db) : null
  if (picture !== null) return servePicture(picture, request, serverContext)
  const manifest = await readManifest(place, db)
  const matched = matchPage(manifest.pages, place.path)
  if (file !== null)
    return serveDocument({ place, file, manifest, matched: matched ?? pageOf(file), request }, serverContext)
  const document = matched && (await findFile(documentPaths(matched.page, place.mode), place, db))
  if (document !== null) return serveDocument({ place, file: document, manifest, matched, request }, serverContext)
  const former = await findFormerFile(path, place, db)
  if (former !== null && isPublic(former) && !isDocument(former)) return serveAsset(former, request, serverContext)
  return path === 'favicon.ico' ? noIcon : notThere

  /** The page of a document that was asked for by its file's own path. */
  function pageOf({ path: own }: ServedFile) {
    const page = manifest.pages.find((each) => documentPaths(each, place.mode).includes(own))
    return page === undefined ? null : { page, params: {} }
  }
}

/** Dashboards and lists of plugins show the pictures on pages of their own. */
async function servePicture(file: ServedFile, request: PageRequest, serverContext: PageServing): Promise<PageAnswer> {
  const picture = await serveAsset(file, request, serverContext)
  return { ...picture, headers: { ...picture.headers, 'Cross-Origin-Resource-Policy': 'cross-origin' } }
}

const notThere = statusPage('not_found')
/** Browsers ask for an icon that no page has named; a 404 would stand in every page's console. */
const noIcon: PageAnswer = { status: 204, headers: pageHeaders, body: null }

/** Source maps are kept for debugging and never served. */
function isPublic({ path }: ServedFile): boolean {
  return !path.toLowerCase().endsWith('.map')
}

async function readManifest({ accountId, deploymentId }: ServedDeployment, db: Database): Promise<PluginManifest> {
  const sql = 'SELECT manifest FROM plugin_deployments WHERE account_id = ? AND id = ?'
  const [row] = readManifests(await db.read(sql, [accountId, deploymentId]))
  if (row === undefined) throw new Error(`The deployment ${deploymentId} that serves a page is gone.`)
  return row.manifest
}

const readManifests = rowReader(pick(pluginDeploymentsTable, 'manifest'))

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
async function serveDocument(services: DocumentParts, serverContext: PageServing): Promise<PageAnswer> {
  const { place, file, request } = services
  const bytes = await serverContext.blobs.get(file.sha256)
  if (bytes === null) throw new BytesMissing(file.sha256)
  const html = new TextDecoder().decode(bytes)
  const origin = pageOrigin(request.hostname, serverContext.pluginsUrl)
  const publishableKey = await serverContext.pageKeys(place, origin)
  const {
    services: { db },
    answersSessions,
    apiUrl,
    vaultUrl,
  } = serverContext
  // Its own origin needs no second connection and no preflight. A proxy may lead only the paths below a base path here.
  const asked = answersSessions && place.basePath === '/' ? origin : apiUrl
  const data = await pageData({ ...services, publishableKey, origins: { apiUrl: asked, vaultUrl } }, db)
  const text = injectData(html, data, baseHref(place))
  // Sources that the real wallets load from; a page whose account takes none of them keeps to its own.
  const wallets = await listWallets(place.accountId, serverContext.services.db)
  const foreign = wallets.some(({ wallet }) => wallet === 'google_pay') ? googlePaySources : undefined
  const policy = pagePolicy(serverContext, inlineHashes(html), { ...securityOf(services.manifest), foreign })
  return answer(text, { request, headers: { 'Content-Security-Policy': policy, ...cardFormAhead(services, vaultUrl) } })
}

/**
 * A page with a card form has its loader fetched beside its own scripts, instead of after they have run: on a slow network
 * a round trip or two. Proxies that can make it `103 Early Hints`. Source: RFC 8288, RFC 8297.
 */
function cardFormAhead({ matched }: DocumentParts, vaultUrl: string): { Link?: string } {
  const isCheckout = matched?.page.features.some(({ type }) => type === 'checkout') ?? false
  return isCheckout ? { Link: `<${vaultUrl}/v1/tillwright.js>; rel=preload; as=script` } : {}
}

/** A manifest from before there was such a key may hold anything under it. */
function securityOf({ security }: PluginManifest): PageSecurity {
  return pageSecurity.safeParse(security).data ?? {}
}

async function answer(
  text: string,
  { request, headers: own }: { request: PageRequest; headers: Readonly<Record<string, string>> },
): Promise<PageAnswer> {
  const isCompressed = acceptsBrotli(request.header('accept-encoding'))
  const etag = `"${hash('sha256', text)}${isCompressed ? '-br' : ''}"`
  const headers = {
    ...pageHeaders,
    'Content-Type': 'text/html; charset=utf-8',
    'Cache-Control': 'no-cache',
    ...own,
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

/** Composes the data of a page. */
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
function documentPaths(page: { id: string; isDefault?: boolean | undefined }, mode: PluginMode): string[] {
  const own = [`pages/${page.id}.html`, `${page.id}.html`]
  switch (mode) {
    case 'direct-mode':
      return page.isDefault === true ? [...own, 'index.html'] : own
    case 'spa-mode':
      return ['index.html', ...own]
  }
}
