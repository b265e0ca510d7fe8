import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { type ErrorCode, errorKinds, errorMeanings, openApi, pluginFileSchema } from '@tillwright/contract'
import { ApiError } from '../runtime/index.ts'
import { type App, plainFailure } from './api-app.ts'
import { clientAddress } from './client-address.ts'
import { frontPage } from './front-page.ts'
import type { ServerContext } from './server-context.ts'

/** The renderer of the reference page: its file is ours to serve. */
const renderer = new URL('./browser/standalone.js', import.meta.resolve('@scalar/api-reference'))

/** The deployment's details in the document: its version and its two public origins. */
export interface DocsOptions {
  version: string
  apiUrl: string
  vaultUrl: string
  serverContext: ServerContext
}

/**
 * `/`: what runs here and where it is; `/openapi.json`: the contract as OpenAPI 3.1; `/docs`: the reference page made from it; `/docs/errors`: every error;
 * `/schemas/plugin.json`: the JSON Schema of `plugin.manifest.json`, for editors. Each address of a caller has a bucket for
 * them.
 */
export function routeDocs(app: App, { version, apiUrl, vaultUrl, serverContext }: DocsOptions): void {
  for (const path of ['/', '/openapi.json', '/schemas/plugin.json', '/docs', '/docs/*']) {
    app.use(path, async (c, next) => {
      const { quota } = await serverContext.takeDocsToken(clientAddress(c.env.incoming, serverContext.trustedProxies))
      if (quota.allowed) return next()
      return plainFailure(rateLimited(quota.retryAfterS), serverContext)
    })
  }
  const front = frontPage({ version, apiUrl, vaultUrl, environment: serverContext.services.environment })
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
    return c.html(referencePage.html(path), 200, { 'Content-Security-Policy': referencePage.policy })
  })
  app.get('/docs/errors', (c) => c.html(errorsPage.html, 200, { 'Content-Security-Policy': errorsPage.policy }))
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

const errorsStyle = `
  :root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif }
  body { max-width: 52rem; margin: 2rem auto; padding: 0 1rem }
  section { padding: .75rem 1rem; border-radius: .5rem }
  section:target { background: color-mix(in srgb, Highlight 25%, transparent) }
  h2 { font-size: 1rem; margin: 0 }
  p { margin: .25rem 0 0 }
  small { opacity: .7; font-weight: normal }
`
const codes = Object.keys(errorKinds) as ErrorCode[] // the keys of the table are its codes

const errorsHtml = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Tillwright API errors</title>
<style>${errorsStyle}</style>
<h1>Errors</h1>
<p>Every answer that is not a success carries one of these codes. Branch on the code: messages may be reworded.
<a href="/docs">Back to the reference</a></p>
${codes.map(section).join('\n')}
</html>
`

/** The page that every error's `docUrl` points at: one anchor for each code. */
export const errorsPage = {
  html: errorsHtml,
  policy: `default-src 'none'; style-src 'sha256-${createHash('sha256').update(errorsStyle).digest('base64')}'; frame-ancestors 'none'`,
}

function section(code: ErrorCode): string {
  const { status, type } = errorKinds[code]
  const meaning = errorMeanings[code].replaceAll(/`([^`]*)`/g, '<code>$1</code>')
  return `<section id="${code}"><h2>${code} <small>${status}, ${type}</small></h2><p>${meaning}</p></section>`
}

const settings = {
  url: '/openapi.json',
  documentDownloadType: 'json',
  metaData: { title: 'Tillwright API reference' },
  // Everything is shown in the order and as far as the contract describes it.
  orderSchemaPropertiesBy: 'preserve',
  expandAllSchemaProperties: true,
  // Nothing is asked of anybody else.
  telemetry: false,
  withDefaultFonts: false,
  agent: { disabled: true },
  mcp: { disabled: true },
  showDeveloperTools: 'never',
  // Requests are not sent from the page: a secret key in a browser is what the API refuses.
  hideTestRequestButton: true,
  hideClientButton: true,
}
const script = `Scalar.createApiReference('#reference', ${JSON.stringify(settings)})`

/** The attribute selectors outweigh those of the renderer, whose own styles come later. */
const style = `
  /* Defaults and examples are there to be read, not to be looked for. */
  :is(.property-default, .property-example)[class][class] {
    display: inline-flex; flex-direction: row; align-items: baseline; gap: 4px; max-width: 100%;
  }
  :is(.property-default, .property-example)[class][class] > button { text-decoration: none; pointer-events: none }
  :is(.property-default, .property-example)[class][class] > button span { border: 0 }
  :is(.property-default-value-list, .property-example-value-list)[class][class] {
    display: flex; flex-flow: row wrap; position: static; transform: none; min-width: 0; max-width: 100%;
    padding: 0; border: 0; background: none; box-shadow: none;
  }
  :is(.property-default-value, .property-example-value)[class][class] {
    width: auto; padding: 0 4px; text-align: left;
  }
  :is(.property-default-value, .property-example-value)[class][class] span {
    white-space: normal; overflow-wrap: anywhere;
  }
  :is(.property-default-value, .property-example-value)[class][class] svg { display: none }
  .property-default-value span:empty::before { content: '""' }
  /* The example of a whole answer stands beside it already. */
  .responses-list--tree .property--tree-container.property--level-0 > .property-heading > .property-example[class] {
    display: none;
  }
  /* Seen only when pointed at, it must not take a line of its own. */
  .copy-link-trailing[class][class] { position: absolute }
  /* The fields of an answer stand beside it; this leaves the room to its statuses. */
  .scalar-card-checkbox[class][class] { display: none }
  .markdown[class] :is(th, td) { word-break: normal; overflow-wrap: normal }
  /* A section is given the focus to read on from there; it is not something to operate. */
  section[tabindex='-1']:focus { outline: none }
`

const html = (address: string) => `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Tillwright API reference</title>
<link rel="icon" href="data:,">
<style>${style}</style>
<div id="reference"></div>
<script src="${address}"></script>
<script>${script}</script>
</html>
`

const policy = [
  "default-src 'none'",
  `script-src 'self' 'sha256-${createHash('sha256').update(script).digest('base64')}'`,
  "style-src 'self' 'unsafe-inline'", // the renderer writes its own styles
  "img-src 'self' data:",
  "font-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

/** The reference page with its renderer's address, made in the browser from `/openapi.json`. It loads nothing from anywhere else. */
const referencePage = { html, policy }
