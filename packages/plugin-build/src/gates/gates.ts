import { lineStarts, positionAt, type Problem } from '../problem.ts'
import { type SourceMapText, sourcePosition } from '../source-map.ts'
import { findCardFields, findCardFieldsInHtml } from './card-fields.ts'
import type { Finding } from './finding.ts'
import { findForeignKeys, findSecrets, type HiddenValue } from './secrets.ts'

/** A text to be deployed. */
export interface GatedText {
  /** For a source, relative to the plugin's folder; otherwise the path of the output. */
  file: string
  text: string
  /** Maps a built text to its sources; null for a text deployed as written. */
  map: SourceMapText | null
}

export interface Gates {
  hidden: readonly HiddenValue[]
  target: 'test' | 'live' | null
}

/**
 * Refuses texts that must not be deployed: secrets in files and source maps, keys of the other mode, and inputs that
 * could take a card number. Problems are located in the sources, one per line.
 */
export function checkGates(texts: readonly GatedText[], { hidden, target }: Gates): Problem[] {
  const sources = texts.flatMap(({ map }) => sourcesOf(map))
  const problems = [
    ...sources.flatMap((source) => findSecrets(source.text, hidden).map((finding) => problemAt(source, finding))),
    ...texts.flatMap((text) => {
      const secrets = findSecrets(text.text, hidden)
      const keys = target === null ? [] : findForeignKeys(text.text, target)
      return [...secrets, ...keys, ...cardFields(text)].map((finding) => problemAt(text, finding))
    }),
  ]
  // The first of each kind wins: a source has exact columns, a map only the starts of words.
  const first = new Map(problems.toReversed().map((problem) => [identity(problem), problem]))
  return [...first.values()].toSorted(byPlace)
}

function cardFields({ file, text }: GatedText): Finding[] {
  if (/\.[cm]?js$/.test(file)) return findCardFields(text)
  return /\.html?$|\.svg$/.test(file) ? findCardFieldsInHtml(text) : []
}

/** The sources in a map, which is deployed too. */
function sourcesOf(map: SourceMapText | null): GatedText[] {
  const contents = map?.sourcesContent ?? []
  return (map?.sources ?? []).flatMap((file, index) => {
    const text = contents[index] ?? null
    return text === null ? [] : { file, text, map: null }
  })
}

function problemAt({ file, text, map }: GatedText, { index, ...finding }: Finding): Problem {
  const place = map === null ? null : sourcePosition(text, index, map)
  const { code, severity, rule, fix } = finding
  return { code, severity, pointer: null, rule, fix, ...(place ?? { file, ...positionAt(lineStarts(text), index) }) }
}

/** A finding in the source and one in its output are the same. */
function identity({ code, file, line, rule }: Problem): string {
  return [code, file, line, rule].join('\n')
}

function byPlace(a: Problem, b: Problem): number {
  return a.file === b.file ? a.line - b.line || a.column - b.column : a.file < b.file ? -1 : 1
}
