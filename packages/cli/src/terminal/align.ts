import pc from 'picocolors'

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
