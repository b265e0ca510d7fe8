import type { Plan } from './plan.ts'
import type { Result } from './run-seed.ts'
import { type LogLine, STARTS_AT_MS } from './world/world.ts'

/** The first lanes, in this order; the others follow in order of appearance. */
const FIRST_LANES = ['world', 'judge', 'database', 'bank', 'receivers']
/** Longer texts are cut, and shown in full on hover. */
const SHOWN_CHARS = 120

/** Renders a log as an HTML page: a lane for each process, person and server, time from top to bottom. */
export function timelineOf({ lines, problems, seed, hash }: Result, plan: Plan): string {
  const lanes = [...new Set([...FIRST_LANES, ...lines.map(({ who }) => who)])]
  const rows = rowsOf(lines).map((row) => rowHtml(row, lanes))
  const title = `Seed ${seed}`
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>${escaped(title)}</title>
<style>${STYLE}</style></head>
<body>
<header><h1>${escaped(title)}: ${problems.length === 0 ? 'all is well' : escaped(problems[0] ?? '')}</h1>
<details><summary>What the seed has decided</summary><pre>${escaped(JSON.stringify(plan, null, 1))}</pre></details>
<p>SHA-256 of the log: <code>${hash}</code>. Commits without anything else in a moment are left out.</p></header>
<table><thead><tr><th>time</th>${lanes.map((lane) => `<th>${escaped(lane)}</th>`).join('')}</tr></thead>
<tbody>
${rows.join('\n')}
</tbody></table></body></html>
`
}

const STYLE = `
:root { color-scheme: light dark; font: 13px/1.4 system-ui, sans-serif; }
body { margin: 0; } header { padding: 12px 16px; } h1 { font-size: 18px; margin: 0 0 4px; }
table { border-collapse: collapse; } th { position: sticky; top: 0; background: Canvas; text-align: left; padding: 4px 8px; border-bottom: 2px solid GrayText; }
td { vertical-align: top; padding: 1px 8px; border-left: 1px solid color-mix(in srgb, GrayText 30%, transparent); max-width: 280px; overflow-wrap: anywhere; }
td:first-child { white-space: nowrap; font-variant-numeric: tabular-nums; color: GrayText; border-left: 0; }
.asked { color: light-dark(#0a4bb3, #8ab4ff); } .good { color: light-dark(#17662a, #7ddc93); } .bad { color: light-dark(#a51d1d, #ff9c93); font-weight: 600; }
.logged { color: GrayText; } tr.wrong td { background: color-mix(in srgb, red 14%, transparent); }
`

interface Row {
  atMs: number
  lines: readonly LogLine[]
}

/** Groups the lines of a millisecond into a row. Leaves out empty commits, such as heartbeats. */
function rowsOf(lines: readonly LogLine[]): Row[] {
  const rows: { atMs: number; lines: LogLine[] }[] = []
  for (const line of lines) {
    if (line.who === 'database' && /: (?:committed(?:, )?)+$/.test(line.what)) continue
    const last = rows.at(-1)
    if (last !== undefined && line.atMs - last.atMs < 1) last.lines.push(line)
    else rows.push({ atMs: line.atMs, lines: [line] })
  }
  return rows
}

function rowHtml({ atMs, lines }: Row, lanes: readonly string[]): string {
  const cells = lanes.map((lane) => {
    const own = lines.filter(({ who }) => who === lane).map(({ what }) => cellHtml(what))
    return `<td>${own.join('<br>')}</td>`
  })
  const isWrong = lines.some(({ who }) => who === 'judge')
  return `<tr${isWrong ? ' class="wrong"' : ''}><td>${timeOf(atMs)}</td>${cells.join('')}</tr>`
}

function cellHtml(what: string): string {
  const shown = what.length > SHOWN_CHARS ? `${what.slice(0, SHOWN_CHARS)}…` : what
  return `<span class="${kindOf(what)}" title="${escaped(what)}">${escaped(shown)}</span>`
}

function kindOf(what: string): string {
  if (what.startsWith('logs ')) return 'logged'
  if (/-> (?:no answer|[45]\d\d)|refused|is killed|loses power|cut off|fails over|full|cannot/.test(what)) return 'bad'
  if (/-> 2\d\d|serves|"succeeded"|"authorized"/.test(what)) return 'good'
  return /^(?:GET|POST|PUT|PATCH) /.test(what) ? 'asked' : ''
}

/** The time since the start: days, hours, minutes, seconds. */
function timeOf(atMs: number): string {
  const sinceMs = atMs - STARTS_AT_MS
  const days = Math.floor(sinceMs / 86_400_000)
  const clock = new Date(sinceMs).toISOString().slice(11, 23)
  return days > 0 ? `${days} d ${clock}` : clock
}

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

function escaped(text: string): string {
  return text.replaceAll(/[&<>"]/g, (character) => ENTITIES[character] ?? character)
}
