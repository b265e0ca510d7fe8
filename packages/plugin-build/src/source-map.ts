import { SourceMap } from 'node:module'
import { posix } from 'node:path'
import { lineStarts, positionAt } from './problem.ts'

/** The parts of a source map that are used. Source: ECMA-426. */
export interface SourceMapText {
  version: number
  sources: string[]
  sourcesContent: (string | null)[]
  mappings: string
  names: string[]
}

/**
 * Reads a source map from esbuild's `dist`, and gives its sources names that do not depend on the machine.
 *
 * @param path The path of the map there.
 * @param originals Sources that were changed before esbuild read them, by their path from the root.
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
 * A machine-independent name of a module: its path below the plugin's folder, `node_modules/<package>/...` in a package
 * wherever the package manager puts it, otherwise only the end of its path.
 *
 * @param path Relative to the plugin's folder, or absolute, or the address in a package's own source map.
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

/** A location, for people. */
export interface Place {
  /** Relative to the plugin's folder. */
  file: string
  line: number
  column: number
}

/** The source position of an offset in a built file; null if the map has none. */
export function sourcePosition(text: string, offset: number, map: SourceMapText): Place | null {
  const { line, column } = positionAt(lineStarts(text), offset)
  const found = new SourceMap({ ...map, file: '', sourceRoot: '', sourcesContent: [] }).findEntry(line - 1, column - 1)
  if (!('originalSource' in found)) return null
  return { file: found.originalSource, line: found.originalLine + 1, column: found.originalColumn + 1 }
}
