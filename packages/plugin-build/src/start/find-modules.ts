import { readdir } from 'node:fs/promises'
import { join, parse } from 'node:path'

/** The modules of a project that lie where those of a plugin do. */
export interface Modules {
  /** Whether there is `src/app`. */
  hasApp: boolean
  /** The ids of pages by `src/pages/<id>`: home first, then by name. */
  pages: string[]
}

/** Looks for modules in a folder that need not exist. */
export async function findModules(folder: string): Promise<Modules> {
  const [src, pages] = await Promise.all([moduleNames(join(folder, 'src')), moduleNames(join(folder, 'src/pages'))])
  const ids = pages.filter((name) => /^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/.test(name))
  const distinct = [...new Map(ids.map((id) => [addressOf(id), id])).values()]
  return { hasApp: src.includes('app'), pages: distinct.toSorted((a, b) => rank(a) - rank(b) || (a < b ? -1 : 1)) }
}

/** Ids that differ in case alone would be one file, and `index` is where `home` is. */
function addressOf(id: string): string {
  return id.toLowerCase() === 'index' ? 'home' : id.toLowerCase()
}

function rank(id: string): number {
  return addressOf(id) === 'home' ? 0 : 1
}

async function moduleNames(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => [])
  const files = entries.filter((entry) => entry.isFile() && !entry.name.endsWith('.d.ts'))
  return files.map(({ name }) => parse(name)).flatMap(({ name, ext }) => (/^\.[jt]sx?$/.test(ext) ? [name] : []))
}
