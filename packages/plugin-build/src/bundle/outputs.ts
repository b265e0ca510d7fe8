import { hash } from 'node:crypto'
import { cleanMap, type SourceMapText } from '../source-map.ts'
import { type NameableFile, nameByContent, tokenIn } from './content-names.ts'
import type { BuildEntry, BuiltOutput } from './esbuild.ts'
import { workerName, workerToken } from './module-addresses.ts'
import { type BuiltModules, workersOf } from './modules.ts'

/** An output under its final name. */
export interface NamedOutput extends NameableFile {
  /** `sha384-...`. Source: Subresource Integrity. */
  integrity: string
  /** Null for files without one, such as images. */
  map: SourceMapText | null
  /** The output of esbuild, under esbuild's name. */
  built: BuiltOutput
}

/** Names the outputs that pages need, by esbuild's path. Outputs that no page needs are left out. */
export function nameOutputs(built: BuiltModules, pages: readonly PageOutputs[]): ReadonlyMap<string, NamedOutput> {
  const byPath = new Map(built.outputs.map((output) => [output.path, output]))
  const workers = workersOf(built.addressed).map((module) => {
    return { module, path: entryOutput(built.outputs, { name: workerName(module), module }).path }
  })
  const starts = [
    ...pages.flatMap(({ script, style }) => [script, style ?? script]),
    ...workers.map(({ path }) => path),
  ]
  const reached = reach(starts, (path) => byPath.get(path)?.imports.map((each) => each.path) ?? [])
  const kept = reached.flatMap((path) => byPath.get(path) ?? [])
  const aliases = new Map(workers.map(({ module, path }) => [workerToken(module), tokenIn(path) ?? '']))
  const named = nameByContent(kept.map(nameable), aliases)
  return new Map(
    kept.flatMap((output, index): [string, NamedOutput][] => {
      const file = named[index]
      if (file === undefined) return []
      const map = byPath.get(`${output.path}.map`)
      const clean = map === undefined ? null : cleanMap(map.text, output.path, built.addressed)
      const integrity = `sha384-${hash('sha384', file.bytes, 'base64')}`
      return [[output.path, { ...file, integrity, map: clean, built: output }]]
    }),
  )
}

/** Images and fonts are not text, so they contain no references. */
function nameable(output: BuiltOutput): NameableFile {
  const { path, bytes } = output
  return { path, bytes, text: /\.(?:js|css)$/.test(path) ? output.text : null }
}

/** The outputs that one page consists of, by path. */
export interface PageOutputs {
  /** The script that its document loads. */
  script: string
  /** Its static imports, direct and indirect: loaded together with it. */
  imports: string[]
  style: string | null
  /** Scripts that are loaded on demand. */
  lazy: string[]
}

/** Finds the outputs of a page from its entry. */
export function pageOutputs(outputs: readonly BuiltOutput[], entry: BuildEntry): PageOutputs {
  const { path: script, style } = entryOutput(outputs, entry)
  const byPath = new Map(outputs.map((output) => [output.path, output]))
  const scripts = (path: string) => (byPath.get(path)?.imports ?? []).filter((each) => each.path.endsWith('.js'))
  const first = reach([script], (path) => scripts(path).flatMap((each) => (each.isLazy ? [] : each.path)))
  const all = reach([script], (path) => scripts(path).map((each) => each.path))
  return { script, imports: first.slice(1), style, lazy: all.filter((path) => !first.includes(path)) }
}

/**
 * The script built from an entry.
 *
 * @throws {Error} If there is none; esbuild would have failed before.
 */
function entryOutput(outputs: readonly BuiltOutput[], { name, module }: BuildEntry): BuiltOutput {
  const found = outputs.find(({ path, entryPoint }) => entryPoint === module && nameBeforeHash(path) === name)
  if (found === undefined) throw new Error(`esbuild produced no "${name}" for ${module}.`)
  return found
}

/** All paths reachable from some paths, which come first. */
function reach(start: readonly string[], next: (path: string) => readonly string[]): string[] {
  const seen = new Set(start)
  for (const path of seen) for (const found of next(path)) seen.add(found)
  return [...seen]
}

function nameBeforeHash(path: string): string | null {
  return /^assets\/(.+)-[A-Z2-7]{8}\.js$/.exec(path)?.[1] ?? null
}
