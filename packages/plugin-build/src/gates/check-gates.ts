import type { SourceMapText } from '../bundle/clean-map.ts'
import { lineStarts, positionAt } from '../read/position.ts'
import type { Problem } from '../problem.ts'
import { findCardFields, findCardFieldsInHtml } from './find-card-fields.ts'
import { findForeignKeys } from './find-foreign-keys.ts'
import { findSecrets, type HiddenValue } from './find-secrets.ts'
import type { Finding } from './finding.ts'
import { sourcePosition } from './source-position.ts'

/** A text that is about to be deployed. */
export interface GatedText {
  /** Relative to the plugin's folder where it is a source; otherwise the path of the output. */
  file: string
  text: string
  /** Leads from a built text to its sources; null for what is deployed as it was written. */
  map: SourceMapText | null
}

export interface Gates {
  hidden: readonly HiddenValue[]
  target: 'test' | 'live' | null
}

/**
 * What must not leave the machine of a plugin's author: secrets in files and in maps, keys of the other kind, and inputs
 * that could take a card number. Each problem stands where its source does, once for each line.
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
  // The first of a kind stands: a source knows its columns, a map knows the beginnings of words alone.
  const first = new Map(problems.toReversed().map((problem) => [identity(problem), problem]))
  return [...first.values()].toSorted(byPlace)
}

function cardFields({ file, text }: GatedText): Finding[] {
  if (/\.[cm]?js$/.test(file)) return findCardFields(text)
  return /\.html?$|\.svg$/.test(file) ? findCardFieldsInHtml(text) : []
}

/** What a map tells of sources: it is deployed too. */
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

/** One finding in the source and one in what was made of it are the same. */
function identity({ code, file, line, rule }: Problem): string {
  return [code, file, line, rule].join('\n')
}

function byPlace(a: Problem, b: Problem): number {
  return a.file === b.file ? a.line - b.line || a.column - b.column : a.file < b.file ? -1 : 1
}
