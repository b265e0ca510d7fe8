import { Hono } from 'hono'
import { endedKey, findApiKey, hashKeyText, keyFitsEnvironment, readKeyText } from '../../accounts/index.ts'
import { isOpenPreview } from '../../funnels/index.ts'
import type { Caller, Services } from '../../request-context.ts'
import { ApiError, SharedBeginning, SharedBytes } from '../../runtime/index.ts'
import { DatabaseUnavailable } from '../../storage/index.ts'
import { resultSenders, type RunningThreeds, tellOfRefusedResults } from '../../threeds/index.ts'
import {
  cardFramePage,
  frameLater,
  type FrameCaller,
  type FrameFiles,
  type FrameQuery,
  type Onlookers,
  type JweKeys,
  type Page,
  type PinnedLoaders,
  refusedFrame,
  type SimulatedWallets,
  threedsFramePage,
  tooManyFrames,
} from '../../vault/index.ts'
import {
  allowWallets,
  type App,
  routeOperations,
  clientAddress,
  logUnavailable,
  type AllHandlers,
  type HttpContext,
  type ServerContext,
} from '../operations/index.ts'
import { sendPage, sendShared } from './compressed.ts'
import type { Health } from '../health.ts'
import { isolateOrigin, keepToHttps, refuseOtherHosts } from '../hosts.ts'
import { observeRequests } from '../observe-requests.ts'
import { routeSimulatedWallets } from './simulated-wallets.ts'
import { routeThreedsPages, routeThreedsResults } from './threeds-pages.ts'

/** The loader may be kept for an hour; a shop's page then asks whether it has changed. */
const LOADER_HEADERS = {
  'Content-Type': 'text/javascript; charset=utf-8',
  'Cache-Control': 'public, max-age=3600',
  'Cross-Origin-Resource-Policy': 'cross-origin',
  'Access-Control-Allow-Origin': '*', // so that a shop may pin the file with `integrity`
  'X-Content-Type-Options': 'nosniff',
}

/** A pinned loader's address changes with its content. */
const PINNED_HEADERS = { ...LOADER_HEADERS, 'Cache-Control': 'public, max-age=31536000, immutable' }

/** A language's address changes with its content, so a browser never has to ask again. */
const LANGUAGE_HEADERS = {
  'Content-Type': 'application/json; charset=utf-8',
  'Cache-Control': 'public, max-age=31536000, immutable',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'X-Content-Type-Options': 'nosniff',
}

/** Serves the vault's own origin. */
export async function vaultApp(
  handlers: AllHandlers,
  pages: VaultPages & ThreedsPages & { health: Health; simulated: SimulatedWallets | null },
): Promise<App> {
  const { serverContext, apiUrl, vaultUrl, threeds, certificateHeader } = pages
  const { services } = serverContext
  const app: App = new Hono()
  observeRequests(app, 'vault', services.telemetry)
  if (services.environment === 'local') refuseOtherHosts(app, [apiUrl, vaultUrl])
  keepToHttps(app, services.environment)
  pages.health.route(app)
  isolateOrigin(app)
  routeVaultPages(app, pages)
  routeThreedsPages(app, serverContext)
  // The results of a simulated bank do not leave the process.
  if (threeds.bank === null) {
    await tellOfRefusedResults(services, certificateHeader)
    routeThreedsResults(app, {
      serverContext,
      certificateHeader,
      senders: resultSenders(services),
      receive: threeds.receive,
    })
  }
  if (pages.simulated !== null) routeSimulatedWallets(app, pages.simulated, serverContext)
  allowWallets(app)
  routeOperations(app, handlers, { serverContext, audiences: ['frame'] })
  return app
}

/** Dependencies for receiving results of 3-D Secure. */
interface ThreedsPages {
  threeds: RunningThreeds
  /** The header in which a trusted proxy passes the client's certificate on; `undefined` where none does. */
  certificateHeader: string | undefined
}

/** The files of the vault's origin: the scripts for a shop's page, the two frames, and the card frame's languages. */
function routeVaultPages(app: App, { serverContext, files, jweKeys, vaultUrl, apiUrl }: VaultPages): void {
  const { services } = serverContext
  if (files.outcome === 'not_built') {
    app.get('/v1/*', (c) => c.text(files.message, 503))
    return
  }
  const { pinned, hashes, languages, threeds } = files
  const card = splitAtSettings(files.cardHtml)
  const [loader, threedsScript] = [new SharedBytes(files.loader), new SharedBytes(files.threedsScript)]
  const [walletsScript, methodsScript] = [new SharedBytes(files.walletsScript), new SharedBytes(files.methodsScript)]
  const [pinnedFiles, languageFiles] = [sharedFiles(pinned.files), sharedFiles(languages.files)]
  const methodLanguages = sharedFiles(files.methodLanguages)
  app.get('/v1/tillwright.js', (c) => sendShared(c, loader, LOADER_HEADERS))
  app.get('/v1/tillwright.json', (c) =>
    c.json({ ...pinnedTags(pinned, vaultUrl), api: apiUrl }, 200, { ...LOADER_HEADERS, ...JSON_HEADERS }),
  )
  app.get('/v1/:loader{(?:tillwright|wallets|methods)-[0-9a-f]{16}\\.js}', (c) => {
    const file = pinnedFiles.get(c.req.param('loader'))
    return file ? sendShared(c, file, PINNED_HEADERS) : c.notFound()
  })
  app.get('/v1/threeds.js', (c) => sendShared(c, threedsScript, LOADER_HEADERS))
  app.get('/v1/wallets.js', (c) => sendShared(c, walletsScript, LOADER_HEADERS))
  app.get('/v1/methods.js', (c) => sendShared(c, methodsScript, LOADER_HEADERS))
  app.get('/v1/methods/:file', (c) => {
    const file = methodLanguages.get(c.req.param('file'))
    return file ? sendShared(c, file, { ...LOADER_HEADERS, ...JSON_HEADERS }) : c.notFound()
  })
  app.get(`/v1/languages/${languages.hash}/:file`, (c) => {
    const file = languageFiles.get(c.req.param('file'))
    return file ? sendShared(c, file, LANGUAGE_HEADERS) : c.notFound()
  })
  app.get('/v1/card', (c) =>
    answerFrame(c, serverContext, async (asked) => {
      const jwk = await jweKeys.publicJwk()
      return cardFramePage({ ...asked, ...card, hashes, jwk, services })
    }),
  )
  app.get('/v1/threeds', (c) =>
    answerFrame(c, serverContext, async ({ query, ...asked }) => {
      const { locale = '', return: returnUrl = '' } = c.req.query()
      const { environment } = services
      return threedsFramePage({ ...asked, files: threeds, query: { ...query, locale, returnUrl }, environment })
    }),
  )
}

/** The card form's document: all of it up to the attribute that takes its settings, and the rest. */
function splitAtSettings(html: string): { beginning: SharedBeginning; end: string } {
  const at = html.lastIndexOf('{{frame}}')
  return { beginning: new SharedBeginning(html.slice(0, at)), end: html.slice(at) }
}

function sharedFiles(files: ReadonlyMap<string, Uint8Array>): ReadonlyMap<string, SharedBytes> {
  return new Map([...files].map(([name, bytes]) => [name, new SharedBytes(bytes)]))
}

const JSON_HEADERS = { 'Content-Type': 'application/json; charset=utf-8' }

/** Today's pinned loader, as a page names it, and the scripts that a page names after it for wallets and for the methods. */
function pinnedTags({ current, wallets, methods }: PinnedLoaders, vaultUrl: string) {
  return { ...tagOf(current, vaultUrl), wallets: tagOf(wallets, vaultUrl), methods: tagOf(methods, vaultUrl) }
}

function tagOf({ file, integrity }: PinnedLoaders['current'], vaultUrl: string) {
  const url = `${vaultUrl}/v1/${file}`
  return { url, integrity, tag: `<script src="${url}" integrity="${integrity}" crossorigin="anonymous"></script>` }
}

/** A request for a frame: its caller and its query. */
interface AskedFrame extends Onlookers {
  caller: FrameCaller
  query: FrameQuery
}

/** Answers with a frame for the caller of its URL, or with 429 if frames are loaded too fast. */
async function answerFrame(
  c: HttpContext,
  serverContext: ServerContext,
  make: (asked: AskedFrame) => Promise<Page>,
): Promise<Response> {
  const { services, trustedProxies, frameLimits } = serverContext
  // As the card form reads its own address: it trusts the origin that stands there because this has checked it.
  const search = new URL(c.req.url).searchParams
  const read = (name: string): string => search.get(name) ?? ''
  const query = { key: read('key'), origin: read('origin'), id: read('id') }
  try {
    const { allowed, retryAfterS } = await frameLimits.takePage(clientAddress(c.env.incoming, trustedProxies))
    if (!allowed) return respond(tooManyFrames(retryAfterS))
    const caller = await callerOf(query.key, services)
    const consoleOrigin = await consoleAround(read('preview'), caller, serverContext)
    // The token in it is new with each request, so that nothing can be learnt of it by asking often.
    return sendPage(c, await make({ caller, consoleOrigin, query }))
  } catch (error) {
    if (error instanceof ApiError) return respond(refusedFrame(error.status, error.message))
    if (!(error instanceof DatabaseUnavailable)) throw error
    logUnavailable(services.log, error, { path: c.req.path })
    return respond(frameLater())
  }
}

/**
 * The console's origin, for the page of a preview that is open: it shows such pages in a frame. The request names the preview
 * alone; the origin is the one that the platform is configured with (decision 154).
 */
async function consoleAround(
  sessionId: string,
  caller: Caller | null,
  { services, consolePlace }: ServerContext,
): Promise<string | null> {
  if (sessionId === '' || caller === null || caller.storeId === null) return null
  const { accountId, storeId } = caller
  return (await isOpenPreview({ accountId, storeId, sessionId }, services)) ? consolePlace.origin : null
}

/** Settings of the vault's pages. */
export interface VaultPages {
  serverContext: ServerContext
  files: FrameFiles
  jweKeys: JweKeys
  /** The public URL of this origin. */
  vaultUrl: string
  /** The public URL of the API, which pages that show the methods ask. */
  apiUrl: string
}

/** Whom a key that is good here and now belongs to. */
async function callerOf(key: string, { db, clock, environment }: Services): Promise<Caller | null> {
  if (readKeyText(key) === null || !keyFitsEnvironment(key.startsWith('live_'), environment)) return null
  const known = await findApiKey(hashKeyText(key), db)
  return known === null || endedKey(known, clock.now()) !== null ? null : known.caller
}

function respond({ html, status, headers }: Page): Response {
  return new Response(html, { status, headers })
}
