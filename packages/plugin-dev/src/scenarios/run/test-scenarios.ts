import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join, relative, sep } from 'node:path'
import type { Browser } from 'playwright-core'
import { stateFolder } from '../../binding/state-file.ts'
import type { Scenario } from '../scenario.ts'
import { comparePictures } from './compare-pictures.ts'
import { lookAtPage } from './look-at-page.ts'
import type { PageProblem } from './page-problem.ts'
import type { ScenarioHost } from './scenario-host.ts'
import { scenarioIds } from './scenario-ids.ts'
import { viewportOf } from './viewport-of.ts'

/** The folder of a plugin in which pictures are kept that new ones are compared with. */
export const BASELINES_FOLDER = 'screenshots'

/** What is tested, and by what. */
export interface ScenarioTest {
  /** The plugin's folder. */
  root: string
  browser: Browser
  host: ScenarioHost
  scenarios: readonly Scenario[]
  /** What the scripts and styles of a page may come to, compressed; `null` where that is not looked at. */
  pageBytesMax: number | null
  /** Is told of each scenario when it is over. */
  tell: (result: ScenarioResult) => void
}

/** What came of a scenario. */
export interface ScenarioResult {
  name: string
  id: string
  /** Where its picture is, from the plugin's folder. */
  picture: string
  /** How it compares with the picture that was kept; `null` without one. */
  baseline: 'same' | 'differs' | null
  loadedBytes: number
  problems: PageProblem[]
  tookMs: number
}

/** Sees each scenario of a plugin, one after the other. Their pictures are kept with the plugin's local things. */
export async function testScenarios(test: ScenarioTest): Promise<ScenarioResult[]> {
  const { root, scenarios, tell } = test
  await mkdir(join(await stateFolder(root), BASELINES_FOLDER), { recursive: true })
  const results: ScenarioResult[] = []
  for (const [index, id] of scenarioIds(test.scenarios).entries()) {
    const scenario = scenarios[index]
    if (scenario === undefined) continue
    const result = await testScenario(scenario, id, test)
    tell(result)
    results.push(result)
  }
  return results
}

/** Keeps the pictures of scenarios, to compare later ones with. */
export async function keepBaselines(root: string, results: readonly ScenarioResult[]): Promise<void> {
  for (const { id, picture } of results) {
    const file = baselineFile(root, id)
    await mkdir(dirname(file), { recursive: true })
    await writeFile(file, await readFile(join(root, picture)))
  }
}

async function testScenario(scenario: Scenario, id: string, test: ScenarioTest): Promise<ScenarioResult> {
  const { root, browser, host, pageBytesMax } = test
  const startedMs = performance.now()
  const prepared = await host.prepare(scenario)
  const look = { viewport: viewportOf(scenario), locale: scenario.locale ?? 'en-US' }
  const { picture, loadedBytes, problems } = await lookAtPage(browser, prepared, look)
  const file = join(await stateFolder(root), BASELINES_FOLDER, `${id}.png`)
  await writeFile(file, picture)
  const differences = await compareWithKept(picture, { kept: baselineFile(root, id), shownIn: file })
  return {
    name: scenario.name,
    id,
    picture: relative(root, file).split(sep).join('/'),
    baseline: differences === null ? null : differences.length === 0 ? 'same' : 'differs',
    loadedBytes,
    problems: [...problems, ...overBudget(loadedBytes, pageBytesMax), ...(differences ?? [])],
    tookMs: Math.round(performance.now() - startedMs),
  }
}

/** @returns `null` where no picture was kept. */
async function compareWithKept(
  picture: Buffer,
  { kept, shownIn }: { kept: string; shownIn: string },
): Promise<PageProblem[] | null> {
  const before = await readFile(kept).catch(() => null)
  if (before === null) return null
  const comparison = await comparePictures(before, picture)
  if (comparison.outcome === 'same') return []
  if (comparison.outcome === 'differs') {
    await writeFile(shownIn.replace(/\.png$/, '.difference.png'), comparison.difference)
  }
  return [{ kind: 'picture', message: comparison.message }]
}

function overBudget(loadedBytes: number, maxBytes: number | null): PageProblem[] {
  if (maxBytes === null || loadedBytes <= maxBytes) return []
  const [loaded, max] = [loadedBytes, maxBytes].map((bytes) => bytes.toLocaleString('en-US'))
  return [{ kind: 'budget', message: `Its scripts and styles come to ${loaded} B; the budget of a page is ${max} B.` }]
}

function baselineFile(root: string, id: string): string {
  return join(root, BASELINES_FOLDER, `${id}.png`)
}
