import { join } from 'node:path'
import type { BuildOptions } from 'esbuild'
import type { bundlePlugin as Source } from '../src/bundle/index.ts'
import { pageIds } from './write-plugin.ts'

/** The packed builder: below this package, so that it finds its esbuild. */
export const PACKED = join(import.meta.dirname, '../node_modules/.cache/bench/builder.mjs')

/** The builders to compare. Each builds the five pages of a plugin in memory, source maps included. */
export const builders = { tillwright, esbuild, vite } as const
export type BuilderName = keyof typeof builders

/** A public file that was built. */
export interface BuiltFile {
  path: string
  bytes: number
}

async function tillwright(root: string): Promise<BuiltFile[]> {
  // Its types are those of the source.
  const { bundlePlugin }: { bundlePlugin: typeof Source } = await import(PACKED)
  const { files, problems } = await bundlePlugin({
    root,
    mode: 'direct-mode',
    name: 'Bench',
    pages: pageIds.map((id) => ({ id, path: `/${id}`, name: id, entry: entryOf(id) })),
    publicFolder: 'public',
    environment: {},
    neededVariables: [],
    budgets: {},
    target: 'test',
  })
  if (files.length === 0) throw new Error(`Nothing was built: ${JSON.stringify(problems[0])}`)
  return files.filter(({ isPublic }) => isPublic).map(({ path, bytes }) => ({ path, bytes: bytes.length }))
}

/** Plain esbuild with the same entries and outputs, without our checks, documents and reports. */
async function esbuild(root: string): Promise<BuiltFile[]> {
  const { build } = await import('esbuild')
  const { outputFiles } = await build(plainOptions(root))
  return outputFiles
    .filter(({ path }) => !path.endsWith('.map'))
    .map(({ path, contents }) => ({ path, bytes: contents.length }))
}

function plainOptions(root: string) {
  return {
    absWorkingDir: root,
    entryPoints: pageIds.map(entryOf),
    bundle: true,
    splitting: true,
    format: 'esm',
    minify: true,
    legalComments: 'none',
    sourcemap: 'external',
    entryNames: '[name]-[hash]',
    target: ['chrome111', 'edge111', 'firefox115', 'safari16'],
    jsx: 'automatic',
    jsxImportSource: 'preact',
    charset: 'utf8',
    outdir: 'dist',
    write: false,
    logLevel: 'silent',
  } as const satisfies BuildOptions
}

async function vite(root: string): Promise<BuiltFile[]> {
  const { build } = await import('vite')
  const result = await build({
    root,
    configFile: false,
    logLevel: 'silent',
    oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
    build: {
      write: false,
      sourcemap: 'hidden',
      target: ['chrome111', 'edge111', 'firefox115', 'safari16'],
      rolldownOptions: { input: pageIds.map((id) => join(root, entryOf(id))) },
    },
  })
  const { output } = Array.isArray(result)
    ? (result[0] ?? { output: [] })
    : 'output' in result
      ? result
      : { output: [] }
  return output
    .filter(({ fileName }) => !fileName.endsWith('.map'))
    .map((file) => ({ path: file.fileName, bytes: Buffer.byteLength(file.type === 'chunk' ? file.code : file.source) }))
}

function entryOf(id: string): string {
  return `src/pages/${id}.tsx`
}
