import { PLUGIN_FILE } from '@tillwright/contract'

/** A problem of a plugin, with its position. */
export interface Problem {
  /** Stable, for machines: words with hyphens, such as `duplicate-key`. */
  code: string
  /** An error prevents a build or a deployment; a warning is only reported. */
  severity: 'error' | 'warning'
  /** Relative to the plugin's folder, with `/` as the separator. */
  file: string
  /** From 1. A file that cannot be read has its problem at line 1, column 1. */
  line: number
  /** From 1, in UTF-16 code units as editors count. */
  column: number
  /** The JSON pointer of the value (RFC 6901, `''` for the whole file), or null if the file is not JSON. */
  pointer: string | null
  /** The broken rule, in one sentence. */
  rule: string
  /** How to fix it, in one sentence. */
  fix: string
}

/**
 * An error of a file as a whole, or of one that cannot be read.
 *
 * @param pointer The value in it that the error is about.
 */
export function fileError(
  file: string,
  { code, rule, fix }: Pick<Problem, 'code' | 'rule' | 'fix'>,
  pointer: string | null = null,
): Problem {
  return { code, severity: 'error', file, line: 1, column: 1, pointer, rule, fix }
}

/** Sorts problems for display: `plugin.manifest.json` first, then by file, from top to bottom. */
export function sortProblems(problems: readonly Problem[]): Problem[] {
  return problems.toSorted(
    (a, b) =>
      Number(b.file === PLUGIN_FILE) - Number(a.file === PLUGIN_FILE) ||
      Number(a.file > b.file) - Number(a.file < b.file) ||
      a.line - b.line ||
      a.column - b.column,
  )
}

/** A position in a text as shown in editors: from 1, columns in UTF-16 code units. */
export interface Position {
  line: number
  column: number
}

/** The offsets at which the lines of a text start. Lines end with LF, CR LF or CR. */
export function lineStarts(text: string): number[] {
  return [0, ...Array.from(text.matchAll(/\r\n|\r|\n/g), ({ 0: end, index }) => index + end.length)]
}

/** The position of an offset; offsets after the end are at the end. */
export function positionAt(starts: readonly number[], offset: number): Position {
  let [low, high] = [0, starts.length - 1]
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if ((starts[middle] ?? 0) <= offset) low = middle
    else high = middle - 1
  }
  return { line: low + 1, column: offset - (starts[low] ?? 0) + 1 }
}
