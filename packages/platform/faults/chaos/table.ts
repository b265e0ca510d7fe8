import type { Line } from './rounds.ts'

const columns: readonly [title: string, cell: (line: Line) => string][] = [
  ['fault', ({ fault }) => fault.name],
  ['rounds', ({ rounds }) => String(rounds)],
  ['purchases', ({ purchases }) => String(purchases)],
  ['lost', ({ lost }) => String(lost)],
  ['doubled', ({ doubled }) => String(doubled)],
  ['stuck', ({ stuck }) => String(stuck)],
  ['wrong', ({ wrong }) => String(wrong)],
  ['unanswered', ({ unanswered }) => String(unanswered)],
  ['longest answer', ({ longestAnswerMs }) => seconds(longestAnswerMs)],
  ['longest recovery', ({ longestRecoveryMs }) => seconds(longestRecoveryMs)],
  ['after the fault', ({ afterFaultMs }) => seconds(afterFaultMs)],
  ['webhooks', ({ webhooksMs }) => seconds(webhooksMs)],
]

/** The lines as a table in Markdown. */
export function tableOf(lines: readonly Line[]): string {
  const rows = [columns.map(([title]) => title), ...lines.map((line) => columns.map(([, cell]) => cell(line)))]
  const widths = columns.map((_, index) => Math.max(...rows.map((row) => row[index]?.length ?? 0)))
  const text = (row: readonly string[]) =>
    `| ${row.map((cell, index) => (index === 0 ? cell.padEnd(widths[index] ?? 0) : cell.padStart(widths[index] ?? 0))).join(' | ')} |`
  const [head = [], ...body] = rows
  const rule = `| ${widths.map((width, index) => (index === 0 ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`)).join(' | ')} |`
  return [text(head), rule, ...body.map(text)].join('\n')
}

function seconds(ms: number): string {
  return `${(ms / 1_000).toFixed(1)} s`
}
