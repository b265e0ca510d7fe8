import { hash } from 'node:crypto'
import { workersOf, type BuiltModules } from './build-modules.ts'
import { cleanMap, type SourceMapText } from './clean-map.ts'
import { tokenIn } from './hash-token.ts'
import { workerName, workerToken } from './module-addresses.ts'
import { nameByContent, type NameableFile } from './name-by-content.ts'
import { entryOutput, reach, type PageOutputs } from './page-outputs.ts'
import type { BuiltOutput } from './run-esbuild.ts'

/** An output under its own name. */
export interface NamedOutput extends NameableFile {
  /** `sha384-...`. Source: Subresource Integrity. */
  integrity: string
  /** Null for what has none, such as an image. */
  map: SourceMapText | null
  /** As esbuild has made it, under esbuild's name. */
  built: BuiltOutput
}

/** Names what the pages need: by the path that esbuild gave. What no page leads to is left out. */
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

/** Images and fonts are no texts, and whatever looks like a name in them is none. */
function nameable(output: BuiltOutput): NameableFile {
  const { path, bytes } = output
  return { path, bytes, text: /\.(?:js|css)$/.test(path) ? output.text : null }
}
