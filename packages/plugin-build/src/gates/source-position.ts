import { SourceMap } from 'node:module'
import type { SourceMapText } from '../bundle/clean-map.ts'
import { lineStarts, positionAt } from '../read/position.ts'

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
