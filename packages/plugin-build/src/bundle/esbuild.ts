import { existsSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import {
  build,
  type BuildFailure,
  type BuildOptions,
  type Loader,
  type Message,
  type Metafile,
  type Plugin,
} from 'esbuild'
import { assetEndings } from '../asset-endings.ts'
import type { Problem } from '../problem.ts'
import type { JsxRuntime } from './environment.ts'
import { type AddressedModules, moduleAddresses } from './module-addresses.ts'
import { findOutsideFiles } from './outside-files.ts'

/** Every browser that still gets security fixes; the same as for the card form. */
export const browserTargets = ['chrome111', 'edge111', 'firefox115', 'safari16']

/** The output folder in esbuild's paths. Nothing is written to it: everything stays in memory. */
const OUTPUT = 'dist'

export interface ModulesToBuild {
  root: string
  entries: readonly BuildEntry[]
  /** The variables that pages may read. */
  variables: Readonly<Record<string, string>>
  jsx: JsxRuntime
}

export interface BuildEntry {
  /** The output's name without its hash. */
  name: string
  /** Relative to the root. */
  module: string
}

/** A file produced by esbuild. */
export interface BuiltOutput {
  /** `assets/pay-ABCDEFGH.js` */
  path: string
  bytes: Uint8Array
  /** The bytes as text, decoded on demand. */
  readonly text: string
  /** The module whose entry it is, relative to the root. */
  entryPoint: string | null
  /** The path of the style of everything that an entry imports, statically or dynamically. */
  style: string | null
  /** The paths of other outputs. */
  imports: { path: string; isLazy: boolean }[]
  /** The size of its content by module. */
  inputs: Map<string, number>
}

/** Runs esbuild once and returns its output with warnings, or the errors. */
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

/** Uses only the plugin's own `tsconfig.json`, not one in a parent folder, which other machines do not have. */
function typescriptOptions(root: string): BuildOptions {
  const tsconfig = join(root, 'tsconfig.json')
  return existsSync(tsconfig) ? { tsconfig } : { tsconfigRaw: {} }
}

/** Replacements for `import.meta.env`: the variables, and the mode of the build. */
function definitions(variables: Readonly<Record<string, string>>): Record<string, string> {
  const all = { ...variables, MODE: 'production', PROD: true, DEV: false }
  const single = Object.entries(all).map(([name, value]) => [`import.meta.env.${name}`, JSON.stringify(value)])
  return {
    'import.meta.env': JSON.stringify(all),
    'process.env.NODE_ENV': '"production"',
    ...Object.fromEntries(single),
  }
}

function contextOf(output: Metafile['outputs'][string] | undefined): Omit<BuiltOutput, 'path' | 'bytes' | 'text'> {
  const inputs = Object.entries(output?.inputs ?? {})
  return {
    entryPoint: output?.entryPoint ?? null,
    style: output?.cssBundle === undefined ? null : withoutFolder(output.cssBundle),
    imports: (output?.imports ?? []).map(({ path, kind }) => ({
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

/** Loaders that copy such files under a name with their hash. */
const assetLoaders: Readonly<Record<string, Loader>> = Object.fromEntries(
  assetEndings.map((ending) => [`.${ending}`, 'file']),
)

const isAsset = new RegExp(`\\.(?:${assetEndings.join('|')})$`, 'i')
const NAMESPACE = 'address'

/**
 * Makes the import of an image, a font or similar file in a module an absolute address. esbuild's address is relative
 * to the script, but browsers would resolve it from the page's path.
 */
function assetAddresses(root: string): Plugin {
  return {
    name: 'asset-addresses',
    setup(plugin) {
      plugin.onResolve({ filter: isAsset }, async ({ path, kind, importer, namespace, resolveDir }) => {
        // Styles resolve relative to themselves, and the module below has to get the file itself.
        if (kind === 'url-token' || kind === 'import-rule' || namespace === NAMESPACE || kind === 'entry-point')
          return null
        const found = await plugin.resolve(path, { kind: 'url-token', importer, resolveDir })
        if (found.errors.length > 0) return { errors: found.errors }
        return { path: relative(root, found.path).replaceAll('\\', '/'), namespace: NAMESPACE }
      })
      plugin.onLoad({ filter: /.*/, namespace: NAMESPACE }, ({ path }) => ({
        // Relative, because a source map would reveal the machine's folders.
        contents: `import file from ${JSON.stringify(`./${path}`)}
export default new URL(file, import.meta.url).href`,
        resolveDir: root,
      }))
    },
  }
}

/**
 * How much esbuild's heap may grow before garbage collection, in percent of the live heap: ten times Go's default,
 * because the process ends with the build or waits for the next one. Builds are a fifth faster. Source: Go's `runtime`,
 * GOGC.
 */
const GROWTH = '1000'

/**
 * Runs `start`, which may start esbuild's process, with a high `GOGC` unless one is set. This process's environment is
 * restored when it returns.
 */
function withLateCollector<Result>(start: () => Result): Result {
  if (process.env['GOGC'] !== undefined) return start()
  process.env['GOGC'] = GROWTH
  try {
    return start()
  } finally {
    delete process.env['GOGC']
  }
}

/** Fixes for esbuild's errors, by their text. The first match wins. */
const remedies: readonly { says: RegExp; code: string; fix: string }[] = [
  {
    says: /^Could not resolve/,
    code: 'unresolved-import',
    fix: 'Correct the path, or install the package that it names.',
  },
  {
    says: /^No loader is configured/,
    code: 'unknown-file-type',
    fix: 'Move the file to the public folder and use its address, or import it as a type that the builder supports.',
  },
  { says: /^No matching export/, code: 'missing-export', fix: 'Import a name that the module exports.' },
  {
    says: /^(?:Expected|Unexpected|Unterminated|Syntax error)/,
    code: 'syntax-error',
    fix: 'Correct the syntax here.',
  },
]

/** Converts an error or warning of esbuild to a problem at its position in the plugin. */
function problemOfMessage(message: Message, severity: Problem['severity']): Problem {
  const { text, location, notes } = message
  const remedy = remedies.find(({ says }) => says.test(text))
  const suggestion = location?.suggestion ?? ''
  const hint = notes.map((note) => sentence(note.text)).join(' ')
  return {
    code: remedy?.code ?? (message.id === '' ? 'build-failed' : message.id),
    severity,
    file: location?.file ?? '',
    line: location?.line ?? 1,
    column: location === null ? 1 : columnOf(location.lineText, location.column),
    pointer: null,
    rule: sentence(text),
    fix: suggestion === '' ? (remedy?.fix ?? (hint === '' ? 'Correct the code here.' : hint)) : `Write ${suggestion}.`,
  }
}

/** Counts from 1 in UTF-16 code units; esbuild counts bytes from 0. */
function columnOf(lineText: string, bytes: number): number {
  return Buffer.from(lineText).subarray(0, bytes).toString().length + 1
}

function sentence(text: string): string {
  return /[.!?:]$/.test(text) ? text.replace(/:$/, '.') : `${text}.`
}
