import { basename, dirname, extname, join, relative } from 'node:path'
import type { Loader, Plugin } from 'esbuild'
import { hashToken } from './content-names.ts'

/** Modules that refer to other files by address only: by the module's path, relative to the root. */
export type AddressedModules = Map<string, AddressedModule>

export interface AddressedModule {
  /** The text on disk. */
  text: string
  /** The address as written -> the file it leads to, relative to the root. */
  targets: Map<string, string>
}

/** `new URL('./x', import.meta.url)`, in sources and in esbuild's output; the second group is the address. */
export const address = /\bnew URL\(\s*(["'`])(\.{1,2}\/[^"'`\\$\n]+)\1\s*,\s*import\.meta\.url\s*,?\s*\)/g

/** Whether an address leads to a script, nearly always a worker, which is bundled as its own entry. */
export function leadsToScript(target: string): boolean {
  return /\.[cm]?[jt]sx?$/.test(target)
}

/** The name of a worker's output before its hash. */
export function workerName(target: string): string {
  return basename(target, extname(target)).replaceAll(/[^\w-]/g, '-')
}

/**
 * A placeholder in a worker's address until its hash is known; of the same length, so that columns in source maps do
 * not move.
 */
export function workerToken(target: string): string {
  return hashToken(`worker ${target}`)
}

/** Replaces addresses of sources in modules with those of outputs. */
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
  return kind as Loader // the expression matches only js, jsx, ts and tsx
}

/** esbuild's filters are Go expressions, which do not support the output of `RegExp.escape`. */
function escaped(path: string): string {
  return path.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&')
}
