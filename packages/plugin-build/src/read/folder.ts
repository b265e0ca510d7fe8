import { realpath, stat } from 'node:fs/promises'
import { join, sep } from 'node:path'

/** What stands at a path of a plugin's folder when links are followed; `outside` when they lead out of it. */
export type Kind = 'file' | 'folder' | 'other' | 'outside' | 'nothing'

/**
 * Looks what stands at a path.
 *
 * @param root The real path of the plugin's folder.
 * @param path Relative to it, with `/` between its names.
 */
export async function kindOf(root: string, path: string): Promise<Kind> {
  try {
    const real = await realpath(join(root, path))
    if (!real.startsWith(root.endsWith(sep) ? root : root + sep)) return 'outside'
    const stats = await stat(real)
    if (stats.isFile()) return 'file'
    return stats.isDirectory() ? 'folder' : 'other'
  } catch {
    return 'nothing' // missing, a loop of links, or without rights: whoever asked cannot use it
  }
}
