import { createReadStream } from 'node:fs'
import { realpath, stat } from 'node:fs/promises'
import type { ServerResponse } from 'node:http'
import { join, sep } from 'node:path'
import { contentTypeOf } from '@tillwright/contract/content-type-of'

/** Answers with a file that is deployed under its own name; `false` where there is none. */
export async function servePublicFile(folder: string, path: string, response: ServerResponse): Promise<boolean> {
  const file = await realpath(join(folder, path)).catch(() => null)
  const home = await realpath(folder).catch(() => null)
  if (file === null || home === null || !file.startsWith(home + sep)) return false
  const found = await stat(file).catch(() => null)
  if (found === null || !found.isFile()) return false
  response.writeHead(200, {
    'Content-Type': contentTypeOf(path),
    'Content-Length': found.size,
    'Cache-Control': 'no-cache',
    'X-Content-Type-Options': 'nosniff',
  })
  createReadStream(file)
    .on('error', () => response.destroy())
    .pipe(response)
  return true
}
