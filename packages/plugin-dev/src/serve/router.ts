import { hash, randomBytes } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { realpath, stat } from 'node:fs/promises'
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { join, sep } from 'node:path'
import {
  asksForServiceWorker,
  baseHref,
  filePolicy,
  injectData,
  type MatchedPage,
  matchPage,
  pageHeaders,
  type PageOrigins,
  readPath,
  withoutServiceWorker,
} from '@tillwright/contract'
import { contentTypeOf } from '@tillwright/contract/content-type-of'
import { isForBuyers, type Plugin } from '@tillwright/plugin-build'
import type { ViteDevServer } from 'vite'
import type { Binding } from '../binding/index.ts'
import { pageAddress } from '../pages.ts'
import { API_PATH, MODULES_PATH, OWN_PATH, type OwnData, RENEW_PATH } from '../protocol.ts'
import { bareDocument, documentPolicy, ownDataScript, pageDocument } from './documents.ts'
import { fileOfAddress } from './modules.ts'
import { pageData, withStepAddresses } from './page-data.ts'
import { proxyRequest } from './proxy.ts'
import { isForThisServer, isFromOwnPage, isPrivate } from './request-check.ts'

/** The current state that requests are answered from. */
export interface Site {
  /** The plugin's folder. */
  root: string
  /** The last plugin without errors; `null` before the first. */
  plugin: () => Plugin | null
  /** Where pages were before they moved. */
  formerPages: () => Plugin['manifest']['pages']
  /** `null` until the platform has answered. */
  binding: () => Binding | null
  /** Whether a file on this machine may be served as a module. */
  isServed: (path: string) => boolean
  /** Waits while they are being opened anew. */
  modules: () => Promise<ViteDevServer>
  /** Counts the changes that were sent to pages, so that one that missed some can say so. */
  revision: () => number
  /** Counts the times that modules have changed. */
  updates: () => number
  renew: () => Promise<string>
  platformGone: () => void
  /** Host names that the server answers to, in addition to this machine's. */
  hosts: readonly string[]
  /** The vault's origin as a page of this origin reaches it. */
  vaultUrl: (origin: string) => string
  /** Whether pages have the tools of an author. */
  toolbar: 'corner' | 'none'
}

/** Answers everything that a browser asks a dev server for. */
export function routeRequest(site: Site): RequestListener {
  return (request, response) => {
    route(request, response, site).catch((error: unknown) => {
      if (response.headersSent) return void response.destroy()
      refuse(response, 500, String(error))
    })
  }
}

async function route(request: IncomingMessage, response: ServerResponse, site: Site): Promise<void> {
  const target = request.url ?? '/'
  if (!isForThisServer(request, site.hosts)) return refuse(response, 421, notOurs(site.hosts))
  if (asksForServiceWorker(request.headers['service-worker']?.toString())) {
    return void response.writeHead(200, withoutServiceWorker.headers).end(withoutServiceWorker.body)
  }
  if (isPrivate(target)) return refuse(response, 404, 'Nothing is here.')
  if (target.startsWith(MODULES_PATH)) return passToModules(request, response, site)
  if (target.startsWith(`${API_PATH}/`)) return passToPlatform(request, response, site)
  if (target === RENEW_PATH) return renew(request, response, site)
  if (target.startsWith(OWN_PATH)) return refuse(response, 404, 'Nothing is here.')
  if (request.method !== 'GET' && request.method !== 'HEAD') return refuse(response, 405, 'Pages are read with GET.')
  return servePage(request, response, site)
}

/** Another page may have its name point at this machine (DNS rebinding): it is shown nothing of the plugin. */
function notOurs(hosts: readonly string[]): string {
  return `This server answers to ${['localhost', '127.0.0.1', '[::1]', ...hosts].join(', ')} alone; use one of them.`
}

async function passToModules(request: IncomingMessage, response: ServerResponse, site: Site): Promise<void> {
  if (!isFromOwnPage(request)) return refuse(response, 403, 'Modules are for the pages of this server.')
  const path = readPath(request.url ?? '')
  if (path === null || !site.isServed(fileOfAddress(site.root, path.slice(MODULES_PATH.length))))
    return refuse(response, 403, 'Files of other folders are not served.')
  const modules = await site.modules()
  // A worker takes its policy from its own file.
  response.setHeader('Content-Security-Policy', filePolicy('text/javascript', originsOf(request, site)) ?? '')
  modules.middlewares(request, response, () => {
    refuse(response, 404, 'There is no such module.')
  })
}

function passToPlatform(request: IncomingMessage, response: ServerResponse, site: Site): void {
  const binding = site.binding()
  const plugin = site.plugin()
  if (!isFromOwnPage(request)) return refuse(response, 403, 'The API is here for the pages of this server.')
  if (binding === null || plugin === null) return refuse(response, 503, 'The platform has not answered yet.')
  const path = (request.url ?? '').slice(API_PATH.length)
  if (!ofSession.test(path)) return refuse(response, 404, 'Of the API only /api/session/v1/ is here.')
  proxyRequest(request, response, {
    url: binding.platform.apiUrl,
    path,
    unreachable: site.platformGone,
    rewrite: (text) => withStepAddresses(text, plugin, originOf(request)),
    headers: { 'accept-encoding': 'identity' }, // compressed, an answer could not be written into
  })
}

/**
 * What a published page reaches on its own host, and no dots that would lead out of it: a local platform fills its key into
 * its reference, where no page and nobody in the network may read it.
 */
const ofSession = /^\/api\/session\/v1\/[\w/-]*(?:\?|$)/

async function renew(request: IncomingMessage, response: ServerResponse, site: Site): Promise<void> {
  if (request.method !== 'POST') return refuse(response, 405, 'Renew with POST.')
  if (!isFromOwnPage(request)) return refuse(response, 403, 'Sessions are for the pages of this server.')
  const token = await site.renew()
  answer(response, 200, { type: 'application/json', body: JSON.stringify({ token }) })
}

async function servePage(request: IncomingMessage, response: ServerResponse, site: Site): Promise<void> {
  const [plugin, binding] = [site.plugin(), site.binding()]
  const own = {
    key: '',
    policy: '',
    root: site.root,
    revision: site.revision(),
    updates: site.updates(),
    toolbar: site.toolbar,
  }
  const origins = originsOf(request, site)
  const nonce = randomBytes(16).toString('base64')
  const bare = (status: number, title: string, body: string) => {
    const html = bareDocument({ title, body, own })
    answer(response, status, {
      type: 'text/html',
      body: html,
      policy: documentPolicy({ html, origins, security: {}, nonce }),
    })
  }
  if (plugin === null || binding === null) return bare(200, 'One moment', '<h1>The plugin is not ready yet.</h1>')
  const path = readPath(request.url ?? '/')
  if (path !== null && plugin.publicFolder !== null) {
    const folder = join(plugin.root, plugin.publicFolder)
    if (await servePublicFile({ folder, path, origins }, response)) return
  }
  const matched = path === null ? null : matchPage(plugin.manifest.pages, path)
  if (path === null || matched === null) {
    const moved = path === null ? null : movedTo(plugin, matchPage(site.formerPages(), path))
    if (moved !== null) return void response.writeHead(302, { Location: moved, 'Cache-Control': 'no-store' }).end()
    if (path === '/favicon.ico') return void response.writeHead(204).end()
    return bare(404, 'No such page', listOfPages(plugin))
  }
  const made = await pageDocument(plugin, matched.page.id)
  if ('problems' in made) return bare(500, 'No document', `<h1>${escaped(made.problems[0]?.rule ?? '')}</h1>`)
  const data = pageData(plugin, binding, { matched, origin: origins.apiUrl, vaultUrl: origins.vaultUrl })
  const html = injectData(made.html, data, baseHref({ basePath: '/', path }))
  const policy = documentPolicy({ html: made.html, origins, security: plugin.file.security ?? {}, nonce })
  answer(response, 200, {
    type: 'text/html',
    body: withOwnData(html, { ...own, key: made.key, policy: hash('sha256', policy.replace(nonce, '')) }, nonce),
    policy,
  })
}

/** Adds the data of our client and Vite's nonce; the page's own data stay as on a hosted page. */
function withOwnData(html: string, own: OwnData, nonce: string): string {
  const place = html.indexOf('<script type="application/json" id="tillwright-data">')
  const nonceForVite = `<meta property="csp-nonce" nonce="${nonce}">`
  return html.slice(0, place) + nonceForVite + ownDataScript(own) + html.slice(place)
}

/** Where a page is now that was at another address, or what it has made way for; `null` if there was none. */
function movedTo({ pages }: Plugin, former: MatchedPage | null): string | null {
  if (former === null) return null
  const page = pages.find(({ id }) => id === former.page.id)
  if (page !== undefined) return pageAddress(page, former.params)
  const instead = pages.find(({ isDefault }) => isDefault)
  return instead === undefined ? null : pageAddress(instead)
}

function listOfPages({ pages }: Plugin): string {
  const items = pages.map((page) => `<li><a href="${escaped(pageAddress(page))}">${escaped(page.name)}</a></li>`)
  return `<h1>The plugin has no page here. It has these:</h1>\n<ul>${items.join('')}</ul>`
}

/** By which name the browser knows this server. */
function originOf({ headers, socket }: IncomingMessage): string {
  return `${'encrypted' in socket ? 'https' : 'http'}://${headers.host ?? ''}`
}

/** The origins of a page's API and vault as the browser knows them; before there is a vault, nothing but this server. */
function originsOf(request: IncomingMessage, site: Site): PageOrigins {
  const origin = originOf(request)
  return { apiUrl: origin, vaultUrl: site.vaultUrl(origin) || origin }
}

interface Answer {
  type: string
  body: string
  policy?: string
}

function answer(response: ServerResponse, status: number, { type, body, policy }: Answer): void {
  response.writeHead(status, {
    ...pageHeaders,
    'Content-Type': `${type}; charset=utf-8`,
    'Cache-Control': 'no-store',
    ...(policy !== undefined && { 'Content-Security-Policy': policy }),
  })
  response.end(body)
}

function refuse(response: ServerResponse, status: number, sentence: string): void {
  answer(response, status, { type: 'text/plain', body: `${sentence}\n` })
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;')
}

/** A file that is asked for, and whence. */
export interface FileRequest {
  folder: string
  path: string
  origins: PageOrigins
}

/** Answers with a file that is deployed under its own name, as it is hosted; `false` where there is none. */
async function servePublicFile(asked: FileRequest, response: ServerResponse): Promise<boolean> {
  const { folder, path, origins } = asked
  if (!isForBuyers(path.slice(1))) return false
  const file = await realpath(join(folder, path)).catch(() => null)
  const home = await realpath(folder).catch(() => null)
  if (file === null || home === null || !file.startsWith(home + sep)) return false
  const found = await stat(file).catch(() => null)
  if (found === null || !found.isFile()) return false
  const policy = filePolicy(contentTypeOf(path), origins)
  response.writeHead(200, {
    ...pageHeaders,
    'Content-Type': contentTypeOf(path),
    'Content-Length': found.size,
    'Cache-Control': 'no-cache',
    ...(policy !== null && { 'Content-Security-Policy': policy }),
  })
  createReadStream(file)
    .on('error', () => response.destroy())
    .pipe(response)
  return true
}
