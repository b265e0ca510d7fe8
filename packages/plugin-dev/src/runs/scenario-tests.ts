import { hash } from 'node:crypto'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import type { Browser } from 'playwright-core'
import { ownFolder, stateFolder, writeState } from '../local-state.ts'
import { type Scenario, scenarioIds, viewportOf, withOutcomeCard } from '../scenarios/index.ts'
import type { ScenarioHost } from './hosts.ts'
import { checkPage, type PageProblem } from './page-check.ts'
import { compareScreenshots } from './screenshots.ts'

/** The plugin's folder of baseline screenshots. */
const BASELINES_FOLDER = 'screenshots'

/** Options of `testScenarios`. */
export interface ScenarioTest {
  /** The plugin's folder. */
  root: string
  browser: Browser
  host: ScenarioHost
  scenarios: readonly Scenario[]
  /** The budget of a page's scripts and styles, compressed; `null` for none. */
  pageBytesMax: number | null
  /** Called with each scenario when it is done. */
  tell: (result: ScenarioResult) => void
}

/** The result of a scenario. */
export interface ScenarioResult {
  name: string
  id: string
  /** The path of its screenshot, relative to the plugin's folder. */
  screenshot: string
  /** The path of an image that shows the differences from the baseline, or `null`. */
  difference: string | null
  /** How it compares with the baseline; `null` without one. */
  baseline: 'same' | 'differs' | null
  loadedBytes: number
  problems: PageProblem[]
  tookMs: number
}

/** Runs each scenario of a plugin, one after the other. Their screenshots are written to the plugin's local state. */
export async function testScenarios(test: ScenarioTest): Promise<ScenarioResult[]> {
  const { root, scenarios, tell } = test
  await stateFolder(root, BASELINES_FOLDER)
  const results: ScenarioResult[] = []
  const seen = new Map<string, NonNullable<Scenario['until']>>()
  for (const [index, id] of scenarioIds(test.scenarios).entries()) {
    const scenario = scenarios[index]
    if (scenario === undefined) continue
    const result = await testScenario(scenario, id, test)
    const compared = { ...result, problems: [...result.problems, ...(await looksAlike(scenario, result))] }
    tell(compared)
    results.push(compared)
  }
  return results

  /** Two outcomes of a payment that look the same tell a buyer nothing. */
  async function looksAlike({ until }: Scenario, { screenshot }: ScenarioResult): Promise<PageProblem[]> {
    if (until === undefined) return []
    const key = hash('sha256', await readFile(join(root, screenshot)))
    const other = seen.get(key)
    seen.set(key, other ?? until)
    if (other === undefined || other === until) return []
    return [{ kind: 'payment', message: `A payment that is ${until} looks exactly as one that is ${other}.` }]
  }
}

/**
 * Stores the screenshots of scenarios as baselines.
 *
 * @throws {LinkedState} When the folder of baselines is a link.
 */
export async function keepBaselines(root: string, results: readonly ScenarioResult[]): Promise<void> {
  for (const { id, screenshot } of results) {
    const file = join(await ownFolder(root, [BASELINES_FOLDER]), `${id}.png`)
    await rm(file, { force: true }) // a link would be written through
    await writeFile(file, await readFile(join(root, screenshot)), { flag: 'wx' })
  }
}

async function testScenario(wanted: Scenario, id: string, test: ScenarioTest): Promise<ScenarioResult> {
  const { root, browser, host, pageBytesMax } = test
  const startedMs = performance.now()
  const scenario = withOutcomeCard(wanted)
  const prepared = await host.prepare(scenario)
  const { locale = 'en-US', mask, until, card } = scenario
  const look = {
    viewport: viewportOf(scenario),
    locale,
    ...(mask !== undefined && { mask }),
    ...(until !== undefined && card !== undefined && { pays: { ...scenario, until, card } }),
  }
  const { screenshot, loadedBytes, problems } = await checkPage(browser, prepared, look)
  const file = join(await stateFolder(root, BASELINES_FOLDER), `${id}.png`)
  await writeState(file, screenshot)
  const shownIn = file.replace(/\.png$/, '.difference.png')
  const differences = await compareWithKept(screenshot, { kept: join(root, BASELINES_FOLDER, `${id}.png`), shownIn })
  const pathOf = (path: string) => relative(root, path).split(sep).join('/')
  return {
    name: scenario.name,
    id,
    screenshot: pathOf(file),
    difference: differences !== null && differences.length > 0 ? pathOf(shownIn) : null,
    baseline: differences === null ? null : differences.length === 0 ? 'same' : 'differs',
    loadedBytes,
    problems: [...problems, ...overBudget(loadedBytes, pageBytesMax), ...(differences ?? [])],
    tookMs: Math.round(performance.now() - startedMs),
  }
}

/** Writes an image of the differences. @returns `null` if there is no baseline. */
async function compareWithKept(
  screenshot: Buffer,
  { kept, shownIn }: { kept: string; shownIn: string },
): Promise<PageProblem[] | null> {
  await rm(shownIn, { force: true }) // of an earlier run
  const before = await readFile(kept).catch(() => null)
  if (before === null) return null
  const comparison = await compareScreenshots(before, screenshot)
  if (comparison.outcome === 'same') return []
  await writeState(shownIn, comparison.difference)
  return [{ kind: 'screenshot', message: comparison.message }]
}

function overBudget(loadedBytes: number, maxBytes: number | null): PageProblem[] {
  if (maxBytes === null || loadedBytes <= maxBytes) return []
  const [loaded, max] = [loadedBytes, maxBytes].map((bytes) => bytes.toLocaleString('en-US'))
  return [{ kind: 'budget', message: `Its scripts and styles come to ${loaded} B; the budget of a page is ${max} B.` }]
}
