import { basename } from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import { build } from 'esbuild'

/** Bundles a page's imports as plugins do. @returns The size of each file in brotli, by name. */
export async function sizesOf(source: string): Promise<Map<string, number>> {
  const { outputFiles } = await build({
    stdin: { contents: source, resolveDir: import.meta.dirname, loader: 'ts', sourcefile: 'page.ts' },
    bundle: true,
    splitting: true,
    minify: true,
    format: 'esm',
    target: ['chrome111', 'edge111', 'firefox115', 'safari16'],
    outdir: 'out',
    entryNames: 'page',
    chunkNames: '[name]-[hash]', // names are part of what is loaded
    external: ['preact', 'preact/hooks', 'react'],
    write: false,
  })
  // brotliCompressSync uses quality 11 by default.
  return new Map(outputFiles.map(({ path, contents }) => [nameOf(path), brotliCompressSync(contents).length]))
}

/** The name of a file without its folder and hash. */
function nameOf(path: string): string {
  return basename(path).replace(/-[A-Z0-9]{8}(?=\.js$)/, '')
}

/** Bytes of the SDK that a page loads, by the names in the guide's page of sizes. */
export async function sdkSizes(): Promise<ReadonlyMap<string, number>> {
  const core = await sizesOf(`export { openPage } from '../src/index.ts'`)
  const subpath = (module: string) => sizesOf(`export * from '../src/${module}'`)
  const modules = ['preact/index.ts', 'react/index.ts', 'methods/index.ts', 'wallets.ts']
  const [preact, react, methods, wallets] = await Promise.all(modules.map(subpath))
  const sizeIn = (sizes: ReadonlyMap<string, number> | undefined, file: string) => sizes?.get(file) ?? 0
  return new Map([
    ['the core', sizeIn(core, 'page.js')],
    ['`/preact`', sizeIn(preact, 'page.js')],
    ['`/react`', sizeIn(react, 'page.js')],
    ['`/methods`', sizeIn(methods, 'page.js')],
    ['`/wallets`', sizeIn(wallets, 'page.js')],
  ])
}
