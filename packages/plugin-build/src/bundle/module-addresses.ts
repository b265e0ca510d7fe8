import { basename, dirname, extname, join, relative } from 'node:path'
import type { Loader, Plugin } from 'esbuild'
import { hashToken } from './content-names.ts'

/** Modules that name other files by their address alone: by the module's path, relative to the root. */
export type AddressedModules = Map<string, AddressedModule>

export interface AddressedModule {
  /** As it stands on disk. */
  text: string
  /** The address as written -> the file it leads to, relative to the root. */
  targets: Map<string, string>
}

/** `new URL('./x', import.meta.url)`, in sources and in what esbuild makes of them; the second group is the address. */
export const address = /\bnew URL\(\s*(["'`])(\.{1,2}\/[^"'`\\$\n]+)\1\s*,\s*import\.meta\.url\s*,?\s*\)/g

/** Whether an address leads to a script, which is bundled as an entry of its own: nearly always a worker. */
export function leadsToScript(target: string): boolean {
  return /\.[cm]?[jt]sx?$/.test(target)
}

/** The name of a worker's output before its hash. */
export function workerName(target: string): string {
  return basename(target, extname(target)).replaceAll(/[^\w-]/g, '-')
}

/** Stands in a worker's address until its hash is known, and is as long, so that no column of a map moves. */
export function workerToken(target: string): string {
  return hashToken(`worker ${target}`)
}

/** Writes the addresses of outputs into modules in the place of addresses of sources. */
export function moduleAddresses(root: string, modules: AddressedModules): Plugin {
  return {
    name: 'module-addresses',
    setup(build) {
      if (modules.size === 0) return
      const paths = [...modules.keys()].map((path) => escaped(join(root, path)))
      build.onLoad({ filter: new RegExp(`^(?:${paths.join('|')})$`) }, ({ path }) => {
        const found = modules.get(relative(root, path).replaceAll('\\', '/'))
        return found === undefined
          ? null
          : { contents: rewrite(found), loader: loaderOf(path), resolveDir: dirname(path) }
      })
    },
  }
}

function rewrite({ text, targets }: AddressedModule): string {
  const imports: string[] = []
  const body = text.replaceAll(address, (all, _quote, specifier: string) => {
    const target = targets.get(specifier)
    if (target === undefined) return all
    if (leadsToScript(target)) {
      return `new URL("./${workerName(target)}-${workerToken(target)}.js", import.meta.url)`
    }
    const name = `tillwrightAddress${imports.length}`
    imports.push(`\nimport ${name} from ${JSON.stringify(specifier)}`)
    return `new URL(${name})`
  })
  return body + imports.join('')
}

function loaderOf(path: string): Loader {
  const [, kind = 'js'] = /\.[cm]?([jt]sx?)$/.exec(path) ?? []
  return kind as Loader // the expression knows js, jsx, ts and tsx alone
}

/** esbuild's filters are Go's, which do not know what `RegExp.escape` writes. */
function escaped(path: string): string {
  return path.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&')
}
