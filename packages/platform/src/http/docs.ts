import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { type Environment, openApi, pluginFileSchema } from '@tillwright/contract'
import { tokensCss } from '@tillwright/design-tokens'
import { ApiError } from '../runtime/index.ts'
import { type App, plainFailure } from './api-app.ts'
import { clientAddress } from './client-address.ts'
import { errorsPage } from './errors-page.ts'
import { type LocalAccount, referencePage } from './reference-page.ts'
import type { ServerContext } from './server-context.ts'

/**
 * The renderer of the reference page. The package has a copy, so that all it was bundled from need not be installed; here it
 * is where it was installed for the copy.
 */
function findRenderer(): URL {
  const copied = new URL('./reference-renderer.js', import.meta.url)
  const source = '../../node_modules/@scalar/api-reference/dist/browser/standalone.js'
  return existsSync(copied) ? copied : new URL(source, import.meta.url)
}

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
  const bytes = await readFile(findRenderer())
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

/** The platform details on the front page. */
export interface FrontPageOptions {
  version: string
  environment: Environment
  apiUrl: string
  vaultUrl: string
}

/** The answer at `/`: a page for browsers, the same as JSON for programs. Neither holds a key. */
export interface FrontPage {
  html: string
  /** The page's Content-Security-Policy. */
  policy: string
  json: { name: string; version: string; environment: string; links: Record<string, string> }
}

const style = `
  ${tokensCss(['canvas', 'sunken', 'ink', 'ink-soft', 'accent', 'font', 'mono', 'corner'])}
  html { font: 16px/1.5 var(--font); background: var(--canvas); color: var(--ink) }
  body { max-width: 44rem; margin: 3rem auto; padding: 0 1.25rem }
  a { color: var(--accent) }
  :focus-visible { outline: 2px solid var(--accent); outline-offset: 2px }
  h1 { font-size: 1.5rem; margin: 0 }
  h2 { font-size: 1rem; margin: 2rem 0 .25rem }
  p, dl { margin: .25rem 0 0 }
  dl { display: grid; grid-template-columns: max-content 1fr; gap: .25rem 1.5rem }
  dt { font-weight: 600 }
  dd { margin: 0; overflow-wrap: anywhere }
  pre { padding: .75rem 1rem; border-radius: var(--corner); overflow-x: auto; background: var(--sunken); font: .875rem/1.5 var(--mono) }
  small { font-weight: normal; color: var(--ink-soft) }
  @media (max-width: 30rem) { dl { grid-template-columns: 1fr; gap: 0 } dd { margin-bottom: .75rem } }
`

/** Writes the front page: what runs here, and where everything is. */
export function frontPage({ version, environment, apiUrl, vaultUrl }: FrontPageOptions): FrontPage {
  const places: [name: string, url: string, what: string][] = [
    ['Reference', `${apiUrl}/docs`, 'every operation, field and example'],
    ['Errors', `${apiUrl}/docs/errors`, 'every error code, with its cause and what to do'],
    ['OpenAPI 3.1', `${apiUrl}/openapi.json`, 'the same for programs'],
    ['Plugin manifest', `${apiUrl}/schemas/plugin.json`, 'the JSON Schema of plugin.manifest.json'],
    ['API', `${apiUrl}/api/public/v1`, 'where requests with an API key go'],
    ['Vault', vaultUrl, 'the origin of the card form'],
    ['Health', `${apiUrl}/readyz`, 'whether the platform and its database answer'],
  ]
  if (environment !== 'production')
    places.push(['3-D Secure', `${apiUrl}/acs/timeline`, 'what the simulated bank was asked, message by message'])
  const html = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Tillwright API</title>
<link rel="icon" href="data:,">
<style>${style}</style>
<h1>Tillwright <small>${version}, ${environment}</small></h1>
<p>This is the API of a commerce and payments platform. It answers programs; the pages for people are below.</p>
<dl>
${places.map(([name, url, what]) => `<dt>${name}</dt><dd><a href="${url}">${url}</a><br>${what}</dd>`).join('\n')}
</dl>
${environment === 'local' ? firstRequest(apiUrl) : ''}</html>
`
  const hash = createHash('sha256').update(style).digest('base64')
  return {
    html,
    policy: `default-src 'none'; style-src 'sha256-${hash}'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
    json: {
      name: 'Tillwright',
      version,
      environment,
      links: Object.fromEntries(places.map(([name, url]) => [name, url])),
    },
  }
}

/** The key is in a file that only this machine's user can read, so the page names the file and not the key. */
function firstRequest(apiUrl: string): string {
  return `<h2>The first request</h2>
<p>Keys and ids are in <code>.tillwright/local.json</code>, in the folder that the platform was started in:</p>
<pre>key=$(node -p "JSON.parse(fs.readFileSync('.tillwright/local.json')).apiKey")
curl ${apiUrl}/api/public/v1/auth/test -H "Authorization: Bearer $key"</pre>
`
}
