import { SourceMap } from 'node:module'
import { posix } from 'node:path'
import { lineStarts, positionAt } from './problem.ts'

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
  // A source without a file has a name that is not a path.
  const paths = map.sources.map((source) => (source.startsWith('.') ? posix.join(folder, source) : source))
  return {
    version: map.version,
    sources: paths.map(inputName),
    sourcesContent: map.sourcesContent.map((text, index) => originals.get(paths[index] ?? '')?.text ?? text),
    mappings: map.mappings,
    names: map.names,
  }
}

/**
 * The name of a module that is the same on every machine: below the plugin's folder its path, in a package
 * `node_modules/<package>/...` wherever the package manager keeps it, elsewhere the end of its path alone.
 *
 * @param path Relative to the plugin's folder, or absolute, or the address that a package's own source map gives.
 */
export function inputName(path: string): string {
  const names = path
    .replace(/^address:/, '')
    .replaceAll('\\', '/')
    .split('/')
  const packages = names.lastIndexOf('node_modules')
  if (packages !== -1) return names.slice(packages).join('/')
  const isInside = names[0] !== '..' && names[0] !== '' && !/^[a-z]+:$/i.test(names[0] ?? '')
  return isInside ? names.join('/') : ['outside', ...names.filter(isName).slice(-OUTSIDE_NAMES)].join('/')
}

/** Enough for `ui/src/button.tsx` of a neighbouring package, and too little to reveal a home folder. */
const OUTSIDE_NAMES = 3

function isName(name: string): boolean {
  return name !== '..' && name !== '' && !name.endsWith(':')
}

/** Where something is, for people. */
export interface Place {
  /** Relative to the plugin's folder. */
  file: string
  line: number
  column: number
}

/** The place in a source from which an offset of a built file comes; null if its map does not say. */
export function sourcePosition(text: string, offset: number, map: SourceMapText): Place | null {
  const { line, column } = positionAt(lineStarts(text), offset)
  const found = new SourceMap({ ...map, file: '', sourceRoot: '', sourcesContent: [] }).findEntry(line - 1, column - 1)
  if (!('originalSource' in found)) return null
  return { file: found.originalSource, line: found.originalLine + 1, column: found.originalColumn + 1 }
}
