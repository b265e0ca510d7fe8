import { findApiKey } from '../accounts/api-keys.ts'
import { hashKeyText } from '../accounts/key-text.ts'
import type { Parts } from '../call.ts'
import { cardFramePage } from '../vault/card-frame.ts'
import type { FrameFiles } from '../vault/frame-files.ts'
import type { JweKeys } from '../vault/jwe-keys.ts'
import type { App } from './api-app.ts'

/** The loader may be kept for an hour; a shop's page then asks whether it has changed. */
const LOADER_HEADERS = {
  'Content-Type': 'text/javascript; charset=utf-8',
  'Cache-Control': 'public, max-age=3600',
  'Cross-Origin-Resource-Policy': 'cross-origin',
  'Access-Control-Allow-Origin': '*', // so that a shop may pin the file with `integrity`
  'X-Content-Type-Options': 'nosniff',
}

/** A language's address changes with its content, so a browser never has to ask again. */
const LANGUAGE_HEADERS = {
  'Content-Type': 'application/json; charset=utf-8',
  'Cache-Control': 'public, max-age=31536000, immutable',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'X-Content-Type-Options': 'nosniff',
}

/** The files of the vault's origin: the loader for a shop's page, the card frame, and the frame's languages. */
export function routeVaultPages(
  app: App,
  { parts, files, jweKeys }: { parts: Parts; files: FrameFiles; jweKeys: JweKeys },
): void {
  if (files.outcome === 'not_built') {
    app.get('/v1/*', (c) => c.text(files.message, 503))
    return
  }
  const { loader, cardHtml: html, hashes, languages } = files
  app.get('/v1/tillwright.js', (c) => c.body(new Uint8Array(loader), 200, LOADER_HEADERS))
  app.get(`/v1/languages/${languages.hash}/:file`, (c) => {
    const file = languages.files.get(c.req.param('file'))
    return file ? c.body(file, 200, LANGUAGE_HEADERS) : c.notFound()
  })
  app.get('/v1/card', async (c) => {
    const { key = '', origin = '', id = '' } = c.req.query()
    const known = key === '' ? null : await findApiKey(hashKeyText(key), parts.db)
    const caller = known === null || known.revokedAtMs !== null ? null : known.caller
    const page = cardFramePage({
      html,
      hashes,
      caller,
      query: { key, origin, id },
      jwk: jweKeys.publicJwk,
      environment: parts.environment,
    })
    return new Response(page.html, { status: page.status, headers: page.headers })
  })
}
