import { findApiKey, keyFitsEnvironment } from '../accounts/api-keys.ts'
import { hashKeyText, readKeyText } from '../accounts/key-text.ts'
import { ApiError } from '../ambient/api-error.ts'
import type { Caller, Parts } from '../call.ts'
import { cardFramePage, tooManyFrames } from '../vault/card-frame.ts'
import type { FrameFiles } from '../vault/frame-files.ts'
import { refusedFrame, type FrameCaller, type FrameQuery, type Page } from '../vault/frame-page.ts'
import type { JweKeys } from '../vault/jwe-keys.ts'
import { threedsFramePage } from '../vault/threeds-frame.ts'
import type { App } from './api-app.ts'
import { clientAddress } from './client-address.ts'
import type { HttpContext } from './serve-operation.ts'
import type { Serving } from './serving.ts'

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

/** The files of the vault's origin: the scripts for a shop's page, the two frames, and the card frame's languages. */
export function routeVaultPages(app: App, { serving, files, jweKeys }: VaultPages): void {
  const { parts } = serving
  if (files.outcome === 'not_built') {
    app.get('/v1/*', (c) => c.text(files.message, 503))
    return
  }
  const { loader, cardHtml: html, hashes, languages, threedsScript, threeds } = files
  app.get('/v1/tillwright.js', (c) => c.body(new Uint8Array(loader), 200, LOADER_HEADERS))
  app.get('/v1/threeds.js', (c) => c.body(new Uint8Array(threedsScript), 200, LOADER_HEADERS))
  app.get(`/v1/languages/${languages.hash}/:file`, (c) => {
    const file = languages.files.get(c.req.param('file'))
    return file ? c.body(file, 200, LANGUAGE_HEADERS) : c.notFound()
  })
  app.get('/v1/card', (c) =>
    answerFrame(c, serving, async (caller, query) => {
      const jwk = await jweKeys.publicJwk()
      return cardFramePage({ html, hashes, caller, query, jwk, parts })
    }),
  )
  app.get('/v1/threeds', (c) =>
    answerFrame(c, serving, async (caller, query) => {
      const { locale = '', return: returnUrl = '' } = c.req.query()
      const { environment } = parts
      return threedsFramePage({ files: threeds, caller, query: { ...query, locale, returnUrl }, environment })
    }),
  )
}

/** Answers with a frame for whom its address names, or says how fast frames may be loaded. */
async function answerFrame(
  c: HttpContext,
  { parts, trustedProxies, frameLimits }: Serving,
  make: (caller: FrameCaller, query: FrameQuery) => Promise<Page>,
): Promise<Response> {
  try {
    const { allowed, retryAfterS } = await frameLimits.takePage(clientAddress(c.env.incoming, trustedProxies))
    if (!allowed) return respond(tooManyFrames(retryAfterS))
  } catch (error) {
    if (error instanceof ApiError) return respond(refusedFrame(error.status, error.message))
    throw error
  }
  const { key = '', origin = '', id = '' } = c.req.query()
  return respond(await make(await callerOf(key, parts), { key, origin, id }))
}

/** What the pages are made of. */
export interface VaultPages {
  serving: Serving
  files: FrameFiles
  jweKeys: JweKeys
}

/** Whom a key that is good here and now belongs to. */
async function callerOf(key: string, { db, clock, environment }: Parts): Promise<Caller | null> {
  if (readKeyText(key) === null || !keyFitsEnvironment(key.startsWith('live_'), environment)) return null
  const known = await findApiKey(hashKeyText(key), db)
  if (known === null || known.revokedAtMs !== null) return null
  return known.expiresAtMs !== null && known.expiresAtMs <= clock.now() ? null : known.caller
}

function respond({ html, status, headers }: Page): Response {
  return new Response(html, { status, headers })
}
