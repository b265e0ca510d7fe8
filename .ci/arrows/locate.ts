import { posix } from 'node:path'

/** The source file's package, such as `packages/client`; `null` for tools, tests' folders and whatever is not in `src`. */
export function packageOf(path: string): string | null {
  const [, folder = null] = /^((?:packages|apps|templates)\/[^/]+)\/src\//.exec(path) ?? []
  return folder
}

/** Whether a file only serves tests, which may import what they please. */
export function isTest(path: string): boolean {
  return /\.(?:test|conformance)\.tsx?$|^packages\/[^/]+\/test\//.test(path) || path.split('/').includes('testing')
}

/** The first folder or file below the package's `src`: `storage` of `packages/platform/src/storage/migrate.ts`. */
export function partOf(path: string): string {
  return path.split('/')[3] ?? ''
}

/** The path that a relative specifier means, `null` when the specifier names a package. */
export function targetOf(path: string, specifier: string): string | null {
  return specifier.startsWith('.') ? posix.join(posix.dirname(path), specifier) : null
}
