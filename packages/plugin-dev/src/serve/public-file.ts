import { createReadStream } from 'node:fs'
import { realpath, stat } from 'node:fs/promises'
import type { ServerResponse } from 'node:http'
import { join, sep } from 'node:path'
import { filePolicy, pageHeaders, type PageOrigins } from '@tillwright/contract'
import { contentTypeOf } from '@tillwright/contract/content-type-of'

/** A file that is asked for, and whence. */
export interface AskedFile {
  folder: string
  path: string
  origins: PageOrigins
}

/** Answers with a file that is deployed under its own name, as it is hosted; `false` where there is none. */
export async function servePublicFile(asked: AskedFile, response: ServerResponse): Promise<boolean> {
  const { folder, path, origins } = asked
  const file = await realpath(join(folder, path)).catch(() => null)
  const home = await realpath(folder).catch(() => null)
  if (file === null || home === null || !file.startsWith(home + sep)) return false
  const found = await stat(file).catch(() => null)
  if (found === null || !found.isFile()) return false
  const policy = filePolicy(contentTypeOf(path), origins)
  response.writeHead(200, {
    ...pageHeaders,
    'Content-Type': contentTypeOf(path),
    'Content-Length': found.size,
    'Cache-Control': 'no-cache',
    ...(policy !== null && { 'Content-Security-Policy': policy }),
  })
  createReadStream(file)
    .on('error', () => response.destroy())
    .pipe(response)
  return true
}
