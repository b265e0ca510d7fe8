import { readFileSync, writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { keepCompiled } from '../src/keep-compiled.ts'
import { plantedBugs } from './planted/bugs.ts'
import type { Find } from './planted/finds.ts'
import { plant } from './planted/plant.ts'

const USAGE = `
  Runs worlds: whole platforms with everybody around them, in this process, each decided by its seed.

    node packages/platform/simulation/main.ts --seeds 50            the seeds 1 to 50
    node packages/platform/simulation/main.ts --seeds 50 --from 1000
    node packages/platform/simulation/main.ts --seed 17             one seed, step by step
    node packages/platform/simulation/main.ts --seed 17 --html a.html   as a page with a lane for everybody
    node packages/platform/simulation/main.ts --plant "NAME"        with a bug of planted/bugs.ts in the platform
    node packages/platform/simulation/main.ts --plants              every planted bug, and which seed finds it;
                                                                    with --write into the page of the docs

  Each seed is run twice with --twice, and must give the same log. A failing seed is made smaller, and the
  command is printed that shows it.
`

keepCompiled()
const { values } = parseArgs({
  options: {
    seed: { type: 'string' },
    seeds: { type: 'string' },
    from: { type: 'string', default: '1' },
    html: { type: 'string' },
    plan: { type: 'string' },
    plant: { type: 'string' },
    plants: { type: 'boolean' },
    write: { type: 'boolean' },
    twice: { type: 'boolean' },
    help: { type: 'boolean' },
  },
})

const bug = plantedBugs.find(({ name }) => name === values.plant)
if (values.plant !== undefined && bug === undefined) throw new Error(`No planted bug is called "${values.plant}".`)
if (bug !== undefined) plant(bug)
// Before that nothing of the platform may be loaded.
const { runOne, runMany } = await import('./run-command.ts')

const say = (text: string) => void process.stdout.write(`${text}\n`)
const save = (file: string, text: string) => writeFileSync(file, text)
const isWell = await run()
// What goes into a pipe may still be on its way.
process.stdout.write('', () => process.exit(isWell ? 0 : 1))

async function run(): Promise<boolean> {
  const { seed, seeds, from, html, plan = '{}', twice = false } = values
  if (values.help === true || (seed === undefined && seeds === undefined && values.plants !== true)) {
    say(USAGE)
    return values.help === true
  }
  if (values.plants === true) {
    const { findPlanted } = await import('./planted/find.ts')
    const { docsPage, withTables } = await import('./planted/finds.ts')
    const onFinds = (finds: readonly Find[]) => {
      if (values.write === true) save(docsPage.pathname, withTables(readFileSync(docsPage, 'utf8'), finds))
    }
    return findPlanted({ seeds: Number(seeds ?? 2_000), say, onFinds })
  }
  const planting = bug === undefined ? '' : ` --plant ${JSON.stringify(bug.name)}`
  if (seed !== undefined) return runOne({ seed, change: JSON.parse(plan), html, planting }, { say, save })
  return runMany({ from: Number(from), count: Number(seeds), twice, planting }, { say, save })
}
