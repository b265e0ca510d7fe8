import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { build, type BuildOptions, type BuildFailure, type Metafile } from 'esbuild'
import type { Problem } from '../problem.ts'
import { assetAddresses, assetLoaders } from './asset-addresses.ts'
import { moduleAddresses, type AddressedModules } from './module-addresses.ts'
import { findOutsideFiles } from './outside-files.ts'
import { problemOfMessage } from './problem-of-message.ts'
import type { JsxRuntime } from './read-jsx-runtime.ts'
import { withLateCollector } from './with-late-collector.ts'

/** Every browser that still gets security fixes, and no syntax below it: as the card form has it. */
export const browserTargets = ['chrome111', 'edge111', 'firefox115', 'safari16']

/** Where esbuild is told to write. Nothing is: everything stays in memory. */
const OUTPUT = 'dist'

export interface ModulesToBuild {
  root: string
  entries: readonly BuildEntry[]
  /** The variables that pages may read. */
  variables: Readonly<Record<string, string>>
  jsx: JsxRuntime
}

export interface BuildEntry {
  /** Of the output, before its hash. */
  name: string
  /** Relative to the root. */
  module: string
}

/** A file that esbuild has made. */
export interface BuiltOutput {
  /** `assets/pay-ABCDEFGH.js` */
  path: string
  bytes: Uint8Array
  /** The bytes as text, decoded when it is asked for. */
  readonly text: string
  /** The module whose entry it is, relative to the root. */
  entryPoint: string | null
  /** The path of the style of everything that an entry imports, now or later. */
  style: string | null
  /** The paths of other outputs. */
  imports: { path: string; isLazy: boolean }[]
  /** Bytes of it, by the module that they come from. */
  inputs: Map<string, number>
}

/** Runs esbuild once: what it has built, with its warnings; or why it has built nothing. */
export async function runEsbuild(
  modules: ModulesToBuild,
  addressed: AddressedModules,
): Promise<{ outputs: BuiltOutput[]; problems: Problem[] } | Problem[]> {
  try {
    const { outputFiles, metafile, warnings } = await withLateCollector(() => build(optionsFor(modules, addressed)))
    const outside = await findOutsideFiles(
      modules.root,
      modules.entries.map(({ module }) => module),
      metafile,
    )
    if (outside.length > 0) return outside
    const folder = resolve(modules.root, OUTPUT)
    const outputs = outputFiles.map((file): BuiltOutput => {
      const path = file.path.slice(folder.length + 1).replaceAll('\\', '/')
      return {
        path,
        bytes: file.contents,
        get text() {
          return file.text
        },
        ...contextOf(metafile.outputs[`${OUTPUT}/${path}`]),
      }
    })
    return { outputs, problems: warnings.map((warning) => problemOfMessage(warning, 'warning')) }
  } catch (error) {
    if (!isBuildFailure(error)) throw error
    return [
      ...error.errors.map((message) => problemOfMessage(message, 'error')),
      ...error.warnings.map((message) => problemOfMessage(message, 'warning')),
    ]
  }
}

function optionsFor({ root, entries, variables, jsx }: ModulesToBuild, addressed: AddressedModules) {
  return {
    ...typescriptOptions(root),
    absWorkingDir: root,
    entryPoints: entries.map(({ name, module }) => ({ out: name, in: `./${module}` })),
    outdir: OUTPUT,
    entryNames: 'assets/[name]-[hash]',
    chunkNames: 'assets/[name]-[hash]',
    assetNames: 'assets/[name]-[hash]',
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'browser',
    target: browserTargets,
    minify: true,
    charset: 'utf8',
    legalComments: 'none',
    sourcemap: 'external',
    jsx: 'automatic',
    jsxImportSource: jsx,
    loader: assetLoaders,
    define: definitions(variables),
    plugins: [assetAddresses(root), moduleAddresses(root, addressed)],
    metafile: true,
    write: false,
    logLevel: 'silent',
  } as const satisfies BuildOptions
}

/** The plugin's own `tsconfig.json` counts, and none of a folder above it, which another machine does not have. */
function typescriptOptions(root: string): BuildOptions {
  const tsconfig = join(root, 'tsconfig.json')
  return existsSync(tsconfig) ? { tsconfig } : { tsconfigRaw: {} }
}

/** What stands for `import.meta.env`: the variables, and what kind of build it is. */
function definitions(variables: Readonly<Record<string, string>>): Record<string, string> {
  const all = { ...variables, MODE: 'production', PROD: true, DEV: false }
  const single = Object.entries(all).map(([name, value]) => [`import.meta.env.${name}`, JSON.stringify(value)])
  return {
    'import.meta.env': JSON.stringify(all),
    'process.env.NODE_ENV': '"production"',
    ...Object.fromEntries(single),
  }
}

function contextOf(said: Metafile['outputs'][string] | undefined): Omit<BuiltOutput, 'path' | 'bytes' | 'text'> {
  const inputs = Object.entries(said?.inputs ?? {})
  return {
    entryPoint: said?.entryPoint ?? null,
    style: said?.cssBundle === undefined ? null : withoutFolder(said.cssBundle),
    imports: (said?.imports ?? []).map(({ path, kind }) => ({
      path: withoutFolder(path),
      isLazy: kind === 'dynamic-import',
    })),
    inputs: new Map(inputs.map(([path, { bytesInOutput }]) => [path, bytesInOutput])),
  }
}

function withoutFolder(path: string): string {
  return path.slice(OUTPUT.length + 1)
}

function isBuildFailure(error: unknown): error is BuildFailure {
  return error instanceof Error && 'errors' in error && 'warnings' in error
}
