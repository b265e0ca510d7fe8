import { createHash } from 'node:crypto'
import { type Environment, openApi, pluginFileSchema } from '@tillwright/contract'
import { tokensCss } from '@tillwright/design-tokens'
import { ApiError, SharedBytes } from '../../runtime/index.ts'
import { type HttpContext, type App, plainFailure, clientAddress, type ServerContext } from '../operations/index.ts'
import { sendPage, sendShared } from './compressed.ts'
import { errorsPage } from './errors-page.ts'
import { type LocalAccount, makeReference } from '../reference/index.ts'

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
 * `/`: what runs here and where it is; `/openapi.json`: the contract as OpenAPI 3.1; `/docs`: the reference made from it; `/docs/errors`: every error;
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
  const frontHtml = new SharedBytes(front.html)
  app.get('/', async (c) => {
    if (!(c.req.header('accept') ?? '').includes('text/html')) return c.json(front.json, 200, { Vary: 'Accept' })
    return sendShared(c, frontHtml, { ...HTML, 'Content-Security-Policy': front.policy, Vary: 'Accept' })
  })
  // Both are made when they are first asked for: the document would be a tenth of the start.
  const document = once(() => new SharedBytes(JSON.stringify(openApi(version, [apiUrl], [vaultUrl]))))
  app.get('/openapi.json', (c) => sendShared(c, document(), { 'Content-Type': 'application/json; charset=utf-8' }))
  const manifest = once(() => new SharedBytes(JSON.stringify(pluginFileSchema())))
  app.get('/schemas/plugin.json', (c) =>
    sendShared(c, manifest(), { 'Content-Type': 'application/schema+json; charset=utf-8' }),
  )
  app.get('/docs/errors', (c) => {
    const headers = { ...HTML, 'Content-Security-Policy': errorsPage.policy }
    return sendPage(c, { html: errorsPage.html(c.req.query('q') ?? ''), status: 200, headers })
  })
  routeReference(app, { version, apiUrl, vaultUrl, serverContext, localAccount })
}

const HTML = { 'Content-Type': 'text/html; charset=utf-8' }

/** The reference: a page for each chapter. In `local`, requests can be sent from them. */
function routeReference(app: App, { version, apiUrl, vaultUrl, serverContext, localAccount }: DocsOptions): void {
  const { environment } = serverContext.services
  const reference = makeReference({ version, environment, apiUrl, vaultUrl })
  const answer = async (c: HttpContext, chapter: string | null) => {
    const headers = {
      ...HTML,
      'Content-Security-Policy': reference.policy,
      'Cache-Control': environment === 'local' ? 'no-store' : 'public, max-age=300',
      'Cross-Origin-Resource-Policy': 'same-origin',
      'Cross-Origin-Opener-Policy': 'same-origin',
    }
    // Requests of the page go to the API's own address, so it cannot send any when it was opened under another one.
    const isOwn = c.env.incoming.headers.host === new URL(apiUrl).host
    const account = environment === 'local' && isOwn ? localAccount() : null
    const own = account === null ? null : reference.trying(chapter, account)
    if (own !== null) return c.body(own, 200, headers)
    const shared = reference.shared(chapter)
    return shared === null ? c.notFound() : sendShared(c, shared, headers)
  }
  app.get('/docs', (c) => answer(c, null))
  app.get('/docs/:chapter{\\w+}', (c) => answer(c, c.req.param('chapter')))
  app.get('/docs/:chapter{(?:\\w+/)?}', (c) => c.redirect(c.req.path.slice(0, -1) + new URL(c.req.url).search, 301))
}

function once<Made>(make: () => Made): () => Made {
  let made: Made | null = null
  return () => (made ??= make())
}

function rateLimited(retryAfterS: number): ApiError {
  const message = `Too many pages were requested; try again in ${retryAfterS} s.`
  return new ApiError('rate_limit_exceeded', message, { headers: { 'Retry-After': String(retryAfterS) } })
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
    ['Documentation', `${apiUrl}/guide/`, 'how to sell, with code; searchable without a network'],
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
