import pc from 'picocolors'
import { errorDocument, failWith } from './fail-with.ts'

/** How a command's answer is wanted. */
export interface OutputOptions {
  json?: boolean
}

/** What `--json` is called everywhere. */
export const jsonOption = ['--json', 'print the answer as one JSON document, for programs'] as const

/**
 * Does a command's work and prints what came of it. The standard output has the answer alone: as text for people, or as
 * one JSON document, which tells a failure too. Everything else goes to the standard error.
 */
export async function answer<Result>(
  { json }: OutputOptions,
  work: () => Promise<Result>,
  show: (result: Result) => string,
): Promise<void> {
  try {
    const result = await work()
    process.stdout.write(json === true ? asJson(result) : show(result))
  } catch (error) {
    if (json === true) process.stdout.write(asJson(errorDocument(error)))
    failWith(error)
  }
}

function asJson(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`
}

const GAP = '  '

/** Rows as lines of aligned columns, below their headings. */
export function table(headings: readonly string[], rows: readonly (readonly string[])[]): string {
  const [first = '', ...lines] = align([headings.map((heading) => heading.toUpperCase()), ...rows])
  return [pc.dim(first), ...lines, ''].join('\n')
}

/** One thing's facts, a line each. */
export function facts(rows: readonly (readonly [name: string, value: string])[]): string {
  return [...align(rows), ''].join('\n')
}

/** Every column as wide as its widest cell; the last is left as it is. */
function align(rows: readonly (readonly string[])[]): string[] {
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
