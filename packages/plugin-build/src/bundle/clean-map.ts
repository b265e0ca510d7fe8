import { posix } from 'node:path'
import { inputName } from './input-name.ts'

/** A source map, as far as it concerns us. Source: ECMA-426. */
export interface SourceMapText {
  version: number
  sources: string[]
  sourcesContent: (string | null)[]
  mappings: string
  names: string[]
}

/**
 * Reads a map that esbuild has made below its `dist`, and gives its sources names that are the same on every machine.
 *
 * @param path Where the map stands there.
 * @param originals Sources that were changed before esbuild saw them, by their path from the root.
 */
export function cleanMap(json: string, path: string, originals: ReadonlyMap<string, { text: string }>): SourceMapText {
  // Written by esbuild, always in this form.
  const map = JSON.parse(json) as SourceMapText
  const folder = posix.join('dist', posix.dirname(path))
  // What no file is behind has a name that is no path.
  const paths = map.sources.map((source) => (source.startsWith('.') ? posix.join(folder, source) : source))
  return {
    version: map.version,
    sources: paths.map(inputName),
    sourcesContent: map.sourcesContent.map((text, index) => originals.get(paths[index] ?? '')?.text ?? text),
    mappings: map.mappings,
    names: map.names,
  }
}
