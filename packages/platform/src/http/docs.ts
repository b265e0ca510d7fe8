import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { openApi } from '@tillwright/contract'
import { errorsPage } from './errors-page.ts'
import type { App } from './api-app.ts'

/** The reference page loads nothing from anywhere else: the renderer's file is ours to serve. */
const renderer = fileURLToPath(new URL('./browser/standalone.js', import.meta.resolve('@scalar/api-reference')))
/** Requests are not sent from the page: a secret key in a browser is what the API refuses. */
const startScript = `Scalar.createApiReference('#reference', {
  url: '/openapi.json', telemetry: false, withDefaultFonts: false, agent: { disabled: true }, mcp: { disabled: true },
  showDeveloperTools: 'never', hideTestRequestButton: true, hideClientButton: true, documentDownloadType: 'json'
})`
const scriptHash = createHash('sha256').update(startScript).digest('base64')

const page = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Tillwright API reference</title>
<link rel="icon" href="data:,">
<div id="reference"></div>
<script src="/docs/reference.js"></script>
<script>${startScript}</script>
</html>
`

const policy = [
  "default-src 'none'",
  `script-src 'self' 'sha256-${scriptHash}'`,
  "style-src 'self' 'unsafe-inline'", // the renderer writes its own styles
  "img-src 'self' data:",
  "font-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

/** What the document says of the deployment: its version, and what callers reach the two origins by. */
export interface DocsOptions {
  version: string
  apiUrl: string
  vaultUrl: string
}

/** `/openapi.json`: the contract as OpenAPI 3.1; `/docs`: the reference page made from it; `/docs/errors`: every error. */
export function routeDocs(app: App, { version, apiUrl, vaultUrl }: DocsOptions): void {
  let document: string | null = null // made when it is first asked for: it would be a tenth of the start
  app.get('/openapi.json', (c) => {
    document ??= JSON.stringify(openApi(version, [apiUrl], [vaultUrl]))
    return c.body(document, 200, { 'Content-Type': 'application/json; charset=utf-8' })
  })
  app.get('/docs', (c) => c.html(page, 200, { 'Content-Security-Policy': policy }))
  app.get('/docs/errors', (c) => c.html(errorsPage.html, 200, { 'Content-Security-Policy': errorsPage.policy }))
  app.get('/docs/reference.js', (c) => {
    const stream = Readable.toWeb(createReadStream(renderer)) as ReadableStream // Node's own web stream is one
    return c.body(stream, 200, {
      'Content-Type': 'text/javascript; charset=utf-8',
      'Cache-Control': 'public, max-age=86400',
    })
  })
}
