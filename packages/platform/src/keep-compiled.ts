import { enableCompileCache } from 'node:module'
import { homedir } from 'node:os'
import { join } from 'node:path'

/**
 * Keeps what Node has parsed for the next start, which halves the time to the first answer. To be called before the
 * rest is imported.
 *
 * Not in the shared /tmp, Node's default, where another user could leave code for us to run. The variable is for the
 * thread that writes: without it that thread brings a compiler of its own, of 12 MB.
 */
export function keepCompiled(): void {
  const cache = process.env['XDG_CACHE_HOME'] || join(homedir(), '.cache')
  process.env['NODE_COMPILE_CACHE'] ??= join(cache, 'tillwright', 'compiled')
  enableCompileCache()
}
