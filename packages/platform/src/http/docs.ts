import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { openApi, pluginFileSchema } from '@tillwright/contract'
import { ApiError } from '../runtime/index.ts'
import { type App, plainFailure } from './api-app.ts'
import { clientAddress } from './client-address.ts'
import { errorsPage } from './errors-page.ts'
import { frontPage } from './front-page.ts'
import { type LocalAccount, referencePage } from './reference-page.ts'
import type { ServerContext } from './server-context.ts'

/** The renderer of the reference page: its file is ours to serve. */
const renderer = new URL('./browser/standalone.js', import.meta.resolve('@scalar/api-reference'))

/** The deployment's details in the document: its version and its two public origins. */
export interface DocsOptions {
  version: string
  apiUrl: string
  vaultUrl: string
  serverContext: ServerContext
  /** The account that requests from the reference page use; `null` before there is one. Only asked in `local`. */
  localAccount: () => LocalAccount | null
}

/**
 * `/`: what runs here and where it is; `/openapi.json`: the contract as OpenAPI 3.1; `/docs`: the reference page made from it; `/docs/errors`: every error;
 * `/schemas/plugin.json`: the JSON Schema of `plugin.manifest.json`, for editors. Each address of a caller has a bucket for
 * them.
 */
export function routeDocs(app: App, { version, apiUrl, vaultUrl, serverContext, localAccount }: DocsOptions): void {
  const { environment } = serverContext.services
  for (const path of ['/', '/openapi.json', '/schemas/plugin.json', '/docs', '/docs/*']) {
    app.use(path, async (c, next) => {
      const { quota } = await serverContext.takeDocsToken(clientAddress(c.env.incoming, serverContext.trustedProxies))
      if (quota.allowed) return next()
      return plainFailure(rateLimited(quota.retryAfterS), serverContext)
    })
  }
  const front = frontPage({ version, apiUrl, vaultUrl, environment })
  app.get('/', (c) => {
    c.header('Vary', 'Accept')
    if (!(c.req.header('accept') ?? '').includes('text/html')) return c.json(front.json)
    return c.html(front.html, 200, { 'Content-Security-Policy': front.policy })
  })
  let document: string | null = null // made when it is first asked for: it would be a tenth of the start
  app.get('/openapi.json', (c) => {
    document ??= JSON.stringify(openApi(version, [apiUrl], [vaultUrl]))
    return c.body(document, 200, { 'Content-Type': 'application/json; charset=utf-8' })
  })
  app.get('/schemas/plugin.json', (c) =>
    c.body(JSON.stringify(pluginFileSchema()), 200, { 'Content-Type': 'application/schema+json; charset=utf-8' }),
  )
  app.get('/docs', async (c) => {
    const { path } = await rendererFiles()
    // Requests of the page go to the API's own address, so it cannot send any when it was opened under another one.
    const isOwn = c.env.incoming.headers.host === new URL(apiUrl).host
    const account = environment === 'local' && isOwn ? localAccount() : null
    const page = referencePage({ rendererPath: path, version, environment, account })
    return c.html(page.html, 200, {
      'Content-Security-Policy': page.policy,
      'Cache-Control': 'no-store',
      'Cross-Origin-Resource-Policy': 'same-origin',
      'Cross-Origin-Opener-Policy': 'same-origin',
    })
  })
  app.get('/docs/errors', (c) =>
    c.html(errorsPage.html(c.req.query('q') ?? ''), 200, { 'Content-Security-Policy': errorsPage.policy }),
  )
  app.get('/docs/:file{reference-[0-9a-f]{16}\\.js}', async (c) => {
    const { path, identity, br, gz } = await rendererFiles()
    if (c.req.path !== path) return c.notFound()
    const encoding = pickEncoding(c.req.header('accept-encoding') ?? '')
    const body = { br, gzip: gz, identity }[encoding]
    return c.body(body, 200, {
      'Content-Type': 'text/javascript; charset=utf-8',
      'Cache-Control': 'public, max-age=31536000, immutable',
      Vary: 'Accept-Encoding',
      ...(encoding !== 'identity' && { 'Content-Encoding': encoding }),
    })
  })
}

function rateLimited(retryAfterS: number): ApiError {
  const message = `Too many pages were requested; try again in ${retryAfterS} s.`
  return new ApiError('rate_limit_exceeded', message, { headers: { 'Retry-After': String(retryAfterS) } })
}

/** The renderer with its address, which changes with its content, and compressed. */
interface RendererFiles {
  path: string
  identity: Uint8Array<ArrayBuffer>
  br: Uint8Array<ArrayBuffer>
  gz: Uint8Array<ArrayBuffer>
}

let prepared: Promise<RendererFiles> | null = null

/** Compressed once, off the main thread, when somebody asks for it first. */
function rendererFiles(): Promise<RendererFiles> {
  return (prepared ??= prepareRenderer())
}

/** Level 5 of brotli compresses it in a tenth of a second; level 11 takes ten seconds to save a fifth more. */
const BROTLI_LEVEL = 5

async function prepareRenderer(): Promise<RendererFiles> {
  const bytes = await readFile(renderer)
  const [br, gz] = await Promise.all([
    promisify(brotliCompress)(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_LEVEL } }),
    promisify(gzip)(bytes),
  ])
  const hash = createHash('sha256').update(bytes).digest('hex').slice(0, 16)
  return {
    path: `/docs/reference-${hash}.js`,
    identity: new Uint8Array(bytes),
    br: new Uint8Array(br),
    gz: new Uint8Array(gz),
  }
}

function pickEncoding(accepted: string): 'br' | 'gzip' | 'identity' {
  const taken = accepted.split(',').filter((each) => !/;\s*q=0(?:\.0*)?\s*$/.test(each))
  const names = taken.map((each) => (each.split(';')[0] ?? '').trim().toLowerCase())
  if (names.includes('br')) return 'br'
  return names.includes('gzip') ? 'gzip' : 'identity'
}
