import { readdir, readFile } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { ApiError, SharedBytes } from '../../runtime/index.ts'
import { type App, plainFailure, clientAddress, type ServerContext } from '../operations/index.ts'
import { sendShared } from './compressed.ts'

/** Where the documentation is served. */
export interface GuideOptions {
  apiUrl: string
  serverContext: ServerContext
}

const types: Readonly<Record<string, string>> = {
  css: 'text/css; charset=utf-8',
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  json: 'application/json; charset=utf-8',
  md: 'text/markdown; charset=utf-8',
  png: 'image/png',
  txt: 'text/plain; charset=utf-8',
}

/**
 * `/guide`: the documentation of this version, from files, so that it can be read and searched without a network. `/guide/security/keys`
 * is the page, `/guide/security/keys.md` its Markdown. Each address of a caller has the bucket of the reference.
 */
export function routeGuide(app: App, { apiUrl, serverContext }: GuideOptions): void {
  let finding: Promise<BuiltGuide> | undefined
  const find = () => (finding ??= findGuide()) // by the first who opens it
  const read = new Map<string, SharedBytes>() // all of it is a few megabytes
  // `local` answers to three names of this machine, of which any port may lead to it; a policy may name no path of 'self'.
  const isLocal = serverContext.services.environment === 'local'
  const policyFor = (url: string) => policyOf(`${new URL(isLocal ? url : apiUrl).origin}/guide/`)
  app.get('/guide', (c) => c.redirect('/guide/'))
  app.get('/guide/*', async (c) => {
    const { quota } = await serverContext.takeDocsToken(clientAddress(c.env.incoming, serverContext.trustedProxies))
    if (!quota.allowed) return plainFailure(tooMany(quota.retryAfterS), serverContext)
    const { folder, files } = await find()
    if (files.size === 0) return c.text('The documentation is not built: run `pnpm build`.', 503)
    const name = fileOf(c.req.path.slice('/guide/'.length), files)
    if (name === null) return c.notFound()
    const bytes = read.get(name) ?? new SharedBytes(await readFile(new URL(name, folder)))
    read.set(name, bytes)
    const headers = {
      'Content-Type': types[name.split('.').at(-1) ?? ''] ?? 'application/octet-stream',
      'Cache-Control': name.startsWith('assets/') ? 'public, max-age=31536000, immutable' : 'public, max-age=300',
      'Content-Security-Policy': policyFor(c.req.url),
      'Cross-Origin-Opener-Policy': 'same-origin',
      'Cross-Origin-Resource-Policy': 'same-origin',
      'Referrer-Policy': 'no-referrer',
      'X-Content-Type-Options': 'nosniff',
    }
    if (name.endsWith('.png')) return c.body(await bytes.in('identity'), 200, headers) // is compressed as it is
    return sendShared(c, bytes, headers)
  })
}

function policyOf(guide: string): string {
  return [
    "default-src 'none'",
    `script-src ${guide}assets/`,
    `style-src ${guide}assets/`,
    `connect-src ${guide}assets/`,
    `img-src ${guide}pictures/ data:`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; ')
}

/** The file of an address. Only files that were listed are read, so no address leads elsewhere. */
function fileOf(path: string, files: ReadonlySet<string>): string | null {
  const names = [path, `${path}.html`, `${path}index.html`, `${path}/index.html`]
  return names.find((name) => files.has(name)) ?? null
}

/** The built files, by their paths below the folder; none when they are missing. */
interface BuiltGuide {
  folder: URL
  files: ReadonlySet<string>
}

/** Looks into the package `@tillwright/docs`. */
async function findGuide(): Promise<BuiltGuide> {
  const folder = new URL('./', import.meta.resolve('@tillwright/docs/dist/index.html'))
  const root = fileURLToPath(folder)
  try {
    const entries = await readdir(root, { recursive: true, withFileTypes: true })
    const files = entries.filter((entry) => entry.isFile())
    const paths = files.map(({ parentPath, name }) => relative(root, join(parentPath, name)).replaceAll(sep, '/'))
    return { folder, files: new Set(paths) }
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return { folder, files: new Set() }
    throw error
  }
}

function tooMany(retryAfterS: number): ApiError {
  const message = `Too many pages were requested; try again in ${retryAfterS} s.`
  return new ApiError('rate_limit_exceeded', message, { headers: { 'Retry-After': String(retryAfterS) } })
}
