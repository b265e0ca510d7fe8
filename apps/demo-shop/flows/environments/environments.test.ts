import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { inSoak, soaks } from '../../../../.ci/soaks.ts'
import { allEngines } from '../browsers/index.ts'
import { environments } from './environments.ts'
import { cellsOf, staleCells } from './table.ts'
import { openPlaces, type Places } from './walk.ts'

// every-engine.test.ts tells which engine is missing.
const here = allEngines.filter(({ missing }) => missing === null)
/** In `npm test` the strictest page stands for all, in the browser that differs most from that of other tests. */
const engines = soaks ? here : here.filter(({ name }) => name === 'Firefox')

let places: Places
beforeAll(async () => {
  places = await openPlaces()
})
afterAll(() => places?.shop.stop())

describe.each(engines)('in $name', (engine) => {
  test('everything that browsers and pages forbid at once leaves a buyer who can pay, with shop, vault and bank on three sites', async () => {
    const cells = await cellsOf(engine, places, 'all at once')
    expect(cells).toMatchObject([{ seen: 'succeeded' }])
    expect(staleCells(cells)).toEqual([])
  })

  test.each(inSoak)(
    'each cell of the documentation’s tables is what a buyer and a frame of another site meet',
    async () => {
      expect(staleCells(await cellsOf(engine, places))).toEqual([])
    },
    600_000,
  )
})

test('the documentation has a cell for each environment and engine', () => {
  const rows = environments.flatMap(({ name }) => allEngines.map((engine) => ({ row: name, engine: engine.name })))
  const empty = rows.filter((cell) => staleCells([{ ...cell, seen: '' }]).length === 0)
  expect(empty).toEqual([])
})
