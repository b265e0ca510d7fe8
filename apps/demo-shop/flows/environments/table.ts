import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { allEngines } from '../browsers/index.ts'
import type { Engine, Protection } from '../browsers/page.ts'
import { environments, type EnvironmentName } from './environments.ts'
import { openPlaces, type Places, probe, walk } from './walk.ts'

const PAGE = join(import.meta.dirname, '../../../docs/pages/checkout/environments.md')

/** One cell of either table: an engine, and what was seen in it. */
export interface Cell {
  /** An environment, or what a browser protects its user by. */
  row: EnvironmentName | Protection
  engine: Engine['name']
  seen: string
}

/** Walks an engine through everything, or through one environment. What it cannot be launched with is said in its cell. */
export async function cellsOf(engine: Engine, places: Places, only?: EnvironmentName): Promise<Cell[]> {
  const cells: Cell[] = []
  for (const protection of protections(only)) {
    const tell = (row: Cell['row'], seen: string) => cells.push({ row, engine: engine.name, seen })
    const rows = environments.filter((each) => each.protection === protection && (only ?? each.name) === each.name)
    const lack = engine.lacks[protection]
    if (lack !== undefined) {
      for (const { name } of rows) tell(name, `not run: ${lack}`)
      if (only === undefined) tell(protection, `not run: ${lack}`)
      continue
    }
    const browser = await engine.launch({ protection })
    try {
      if (only === undefined) {
        const { cookies, storage, folder } = await probe(browser, places)
        tell(protection, `cookies ${cookies}, storage ${storage}, folder ${folder}`)
      }
      for (const environment of rows) tell(environment.name, await walk(browser, environment, places))
    } finally {
      await browser.close()
    }
  }
  return cells
}

function protections(only?: EnvironmentName): Protection[] {
  const rows = environments.filter(({ name }) => (only ?? name) === name)
  return [...new Set(rows.map(({ protection }) => protection))]
}

/** The page's cells that are not what was seen. */
export function staleCells(cells: readonly Cell[], page = readFileSync(PAGE, 'utf8')): string[] {
  return cells.flatMap(({ row, engine, seen }) => {
    const said = page.split('\n').find((line) => line.startsWith(`| ${row} |`))
    const column = 2 + allEngines.findIndex(({ name }) => name === engine)
    const cell = said?.split('|')[column]?.trim()
    return cell === seen
      ? []
      : [
          `The page of environments says "${cell}" of ${row} in ${engine}, which is "${seen}": run "pnpm run environments".`,
        ]
  })
}

/** Writes cells into the rows that the page has for them. */
function writeCells(cells: readonly Cell[], page: string): string {
  const lines = page.split('\n')
  for (const { row, engine, seen } of cells) {
    const at = lines.findIndex((line) => line.startsWith(`| ${row} |`))
    if (at === -1) throw new Error(`The page of environments has no row for ${row}: add one.`)
    const parts = (lines[at] ?? '').split('|')
    parts[2 + allEngines.findIndex(({ name }) => name === engine)] = ` ${seen} `
    lines[at] = parts.join('|')
  }
  return lines.join('\n')
}

/** `pnpm run environments [ENGINE...]` walks all engines, or these, and writes the page. */
if (import.meta.main) {
  const places = await openPlaces()
  try {
    const wanted = process.argv.slice(2)
    for (const engine of allEngines) {
      if (wanted.length > 0 && !wanted.includes(engine.name)) continue
      if (engine.missing !== null) console.log(`${engine.name} is left as it was: ${engine.missing}`)
      else {
        const cells = await cellsOf(engine, places)
        for (const { row, seen } of cells) console.log(`${engine.name}: ${row}: ${seen}`)
        writeFileSync(PAGE, writeCells(cells, readFileSync(PAGE, 'utf8')))
      }
    }
  } finally {
    await places.shop.stop()
  }
  process.exit() // the Chromium that tests share stays open
}
