import { eventFaults, messageFaults } from '../world/faults.ts'

/** The result of looking for a planted bug. */
export interface Find {
  name: string
  /** The broken invariant; empty if no seed has found the bug. */
  invariant: string
  /** The first of the seeds 1, 2, 3, ... that found it; if none did, their number. */
  seed: string
  /** The faults that had struck in that world before. */
  faults: readonly string[]
}

/** The page of the docs with the tables of results. */
export const docsPage: URL = new URL('../../../../apps/docs/pages/contributing/simulation.md', import.meta.url)

const BEGINS = '<!-- Written by main.ts --plants --write. -->'
const ENDS = '<!-- Until here. -->'

/** The faults' names, as in plans. */
const faults = [...Object.keys(messageFaults), ...Object.keys(eventFaults)]

/** Replaces the tables in the page's text. @throws If the text has no place for them. */
export function withTables(text: string, finds: readonly Find[]): string {
  const [before, , after] = parted(text)
  return `${before}${BEGINS}\n\n${bugTable(finds)}\n\n${summaryOf(finds)}\n\n${faultTable(finds)}\n\n${ENDS}${after}`
}

/** The first cells of each row of the two tables, bugs and faults. */
export function rowsOf(text: string): { bugs: string[]; faults: string[] } {
  const [, tables] = parted(text)
  const [bugs = '', faultRows = ''] = tables.split('| fault |')
  return { bugs: firstCells(bugs).slice(2), faults: firstCells(faultRows).slice(1) }
}

function parted(text: string): [string, string, string] {
  const [before, rest] = text.split(BEGINS)
  const [tables, after] = rest?.split(ENDS) ?? []
  if (before === undefined || tables === undefined || after === undefined)
    throw new Error(`${docsPage.pathname} has no place for the tables between "${BEGINS}" and "${ENDS}".`)
  return [before, tables, after]
}

function firstCells(table: string): string[] {
  return table.split('\n').flatMap((line) => /^\| (.*?) \|/.exec(line)?.[1] ?? (line.startsWith('|-') ? '-' : []))
}

function bugTable(finds: readonly Find[]): string {
  const rows = finds.map(({ name, invariant, seed }) => `| ${name} | ${invariant} | ${seed} |`)
  return ['| planted bug | invariant | seed |', '|---|---|---|', ...rows].join('\n')
}

function summaryOf(finds: readonly Find[]): string {
  return `${finds.filter(({ invariant }) => invariant !== '').length} of ${finds.length} are found.`
}

/** Counts the bugs that each invariant has caught in worlds in which a fault had struck before. */
function faultTable(finds: readonly Find[]): string {
  const invariants = [...new Set(finds.map(({ invariant }) => invariant))].filter(Boolean).toSorted()
  const rows = faults.map((fault) => {
    const counts = invariants.map(
      (invariant) => finds.filter((find) => find.invariant === invariant && find.faults.includes(fault)).length,
    )
    return `| ${[fault, ...counts.map((count) => count || '')].join(' | ')} |`
  })
  return [`| fault | ${invariants.join(' | ')} |`, `|---|${'---:|'.repeat(invariants.length)}`, ...rows].join('\n')
}
