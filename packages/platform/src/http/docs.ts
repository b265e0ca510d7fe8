import { createReadStream } from 'node:fs'
import { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { openApi, pluginFileSchema } from '@tillwright/contract'
import { errorsPage } from './errors-page.ts'
import { referencePage } from './reference-page.ts'
import type { App } from './api-app.ts'

/** The renderer of the reference page: its file is ours to serve. */
const renderer = fileURLToPath(new URL('./browser/standalone.js', import.meta.resolve('@scalar/api-reference')))

/** What the document says of the deployment: its version, and what callers reach the two origins by. */
export interface DocsOptions {
  version: string
  apiUrl: string
  vaultUrl: string
}

/**
 * `/openapi.json`: the contract as OpenAPI 3.1; `/docs`: the reference page made from it; `/docs/errors`: every error;
 * `/schemas/plugin.json`: the JSON Schema of `plugin.manifest.json`, for editors.
 */
export function routeDocs(app: App, { version, apiUrl, vaultUrl }: DocsOptions): void {
  let document: string | null = null // made when it is first asked for: it would be a tenth of the start
  app.get('/openapi.json', (c) => {
    document ??= JSON.stringify(openApi(version, [apiUrl], [vaultUrl]))
    return c.body(document, 200, { 'Content-Type': 'application/json; charset=utf-8' })
  })
  app.get('/schemas/plugin.json', (c) =>
    c.body(JSON.stringify(pluginFileSchema()), 200, { 'Content-Type': 'application/schema+json; charset=utf-8' }),
  )
  app.get('/docs', (c) => c.html(referencePage.html, 200, { 'Content-Security-Policy': referencePage.policy }))
  app.get('/docs/errors', (c) => c.html(errorsPage.html, 200, { 'Content-Security-Policy': errorsPage.policy }))
  app.get('/docs/reference.js', (c) => {
    const stream = Readable.toWeb(createReadStream(renderer)) as ReadableStream // Node's own web stream is one
    return c.body(stream, 200, {
      'Content-Type': 'text/javascript; charset=utf-8',
      'Cache-Control': 'public, max-age=86400',
    })
  })
}
