import { hash } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress, constants } from 'node:zlib'
import {
  baseHref,
  injectData,
  pageHeaders,
  pagePolicy,
  pageSecurity,
  type MatchedPage,
  type PageSecurity,
  type PluginManifest,
} from '@tillwright/contract'
import { inlineHashes } from '@tillwright/contract/inline-hashes'
import { acceptsBrotli } from './accepts-brotli.ts'
import type { ServedFile } from './find-file.ts'
import type { Place } from './find-place.ts'
import { isUnchanged } from './is-unchanged.ts'
import { pageData } from './page-data.ts'
import { pageOrigin } from './page-origin.ts'
import type { PageRequest, PageServing } from './page-request.ts'
import { statusPage, type PageAnswer } from './status-page.ts'

const compress = promisify(brotliCompress)
/** Documents are compressed for each request, for each has its own data: quickly rather than well. */
const DOCUMENT_QUALITY = 4

interface DocumentParts {
  place: Place
  file: ServedFile
  manifest: PluginManifest
  matched: MatchedPage | null
  request: PageRequest
}

/** Answers with a document: its data written into it, and a policy that is made of what it held before. */
export async function serveDocument(parts: DocumentParts, serving: PageServing): Promise<PageAnswer> {
  const { place, file, request } = parts
  const bytes = await serving.blobs.get(file.sha256)
  if (bytes === null) return statusPage('not_found')
  const html = new TextDecoder().decode(bytes)
  const origin = pageOrigin(request.hostname, serving.pluginsUrl)
  const publishableKey = await serving.pageKeys(place, origin)
  const data = await pageData({ ...parts, publishableKey, origins: serving }, serving.parts.db)
  const text = injectData(html, data, baseHref(place))
  return answer(text, { request, policy: pagePolicy(serving, inlineHashes(html), securityOf(parts.manifest)) })
}

/** A manifest from before there was such a key may hold anything under it. */
function securityOf({ security }: PluginManifest): PageSecurity {
  return pageSecurity.safeParse(security).data ?? {}
}

async function answer(
  text: string,
  { request, policy }: { request: PageRequest; policy: string },
): Promise<PageAnswer> {
  const isCompressed = acceptsBrotli(request.header('accept-encoding'))
  const etag = `"${hash('sha256', text)}${isCompressed ? '-br' : ''}"`
  const headers = {
    ...pageHeaders,
    'Content-Type': 'text/html; charset=utf-8',
    'Cache-Control': 'no-cache',
    'Content-Security-Policy': policy,
    ETag: etag,
    Vary: 'Accept-Encoding',
  }
  if (isUnchanged(request.header('if-none-match'), etag)) return { status: 304, headers, body: null }
  if (!isCompressed) return { status: 200, headers, body: text }
  const body = await compress(text, { params: { [constants.BROTLI_PARAM_QUALITY]: DOCUMENT_QUALITY } })
  return { status: 200, headers: { ...headers, 'Content-Encoding': 'br' }, body }
}
