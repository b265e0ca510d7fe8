import {
  asksForServiceWorker,
  matchPage,
  pageHeaders,
  type PluginManifest,
  readPath,
  withoutServiceWorker,
} from '@tillwright/contract'
import { type Database, pick, rowReader } from '../../storage/index.ts'
import { findFile, findFormerFile, findPicture, isDocument, type ServedFile } from '../assets/index.ts'
import { findServedDeployment, type ServedDeployment } from '../served-deployment.ts'
import { pluginDeploymentsTable } from '../tables.ts'
import { serveAsset } from './asset.ts'
import { documentPaths, serveDocument } from './document.ts'
import type { PageRequest, PageServing } from './page-request.ts'
import { type PageAnswer, statusPage } from './status-page.ts'

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
  if (found.outcome === 'nobody') return null
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
  const answer = await serveAsset(file, request, serverContext)
  return { ...answer, headers: { ...answer.headers, 'Cross-Origin-Resource-Policy': 'cross-origin' } }
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
