import { Option } from 'commander'
import pc from 'picocolors'
import { errorDocument, failWith } from './fail-with.ts'
import { harmlessJson, harmlessValue, print } from './print.ts'

/** The output format of a command. */
export interface OutputOptions {
  json?: boolean
}

/** The `--json` option of all commands. */
export const jsonOption = ['--json', 'print the answer as one JSON document, for programs'] as const

/** The `--csv` option of lists. An answer has one format, so it does not go with `--json`. */
export function csvOption(description: string): Option {
  return new Option('--csv', description).conflicts('json')
}

/**
 * Runs a command and prints its answer. The standard output has only the answer: text for people, or one JSON document,
 * which is also used for errors. Everything else goes to the standard error.
 */
export async function answer<Result>(
  { json }: OutputOptions,
  work: () => Promise<Result>,
  show: (result: Result) => string,
): Promise<void> {
  try {
    const result = await work()
    print(json === true ? asJson(result) : show(result))
  } catch (error) {
    if (json === true) print(asJson(errorDocument(error)))
    failWith(error)
  }
}

function asJson(value: unknown): string {
  return `${harmlessJson(value, 2)}\n`
}

const GAP = '  '

/** Rows as lines of aligned columns, below their headings. */
export function table(headings: readonly string[], rows: readonly (readonly string[])[]): string {
  const [first = '', ...lines] = align([headings.map((heading) => heading.toUpperCase()), ...rows])
  return [pc.dim(first), ...lines, ''].join('\n')
}

/** Names and values, one pair per line. */
export function facts(rows: readonly (readonly [name: string, value: string])[]): string {
  return [...align(rows), ''].join('\n')
}

/** Pads every column to its widest cell, except the last one. */
function align(texts: readonly (readonly string[])[]): string[] {
  const rows = texts.map((row) => row.map(harmlessValue))
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => [...(row[column] ?? '')].length)))
  const pad = (cell: string, column: number) => cell + ' '.repeat((widths[column] ?? 0) - [...cell].length)
  return rows.map((row) => row.map(pad).join(GAP).trimEnd())
}

/** Bytes for people: `812 B`, `4.1 kB`, `2.3 MB`; 1 kB is 1,000 B. */
export function showBytes(bytes: number): string {
  if (bytes < 1_000) return `${bytes} B`
  const inKilobytes = bytes < 999_950
  return `${(bytes / (inKilobytes ? 1_000 : 1_000_000)).toFixed(1)} ${inKilobytes ? 'kB' : 'MB'}`
}
