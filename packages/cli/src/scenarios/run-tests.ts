import type { Plugin } from '@tillwright/plugin-build'
import type { DevEvent, Scenario, ScenarioHost, ScenarioResult } from '@tillwright/plugin-dev'
import pc from 'picocolors'
import { showDevEvent } from '../dev/dev-output.ts'
import { findDevPlatform, type PlatformSource } from '../dev/find-dev-platform.ts'
import { CommandFailed, exitCodes } from '../terminal/fail-with.ts'
import type { TestOptions } from './scenarios.ts'
import { chooseScenarios, readPluginWith } from './scenarios.ts'

/** Sees the scenarios of the plugin in a folder. The process ends with `invalid` when something is wrong with one. */
export async function runTests(folder: string, options: TestOptions): Promise<Tested> {
  const { keepBaselines } = await import('@tillwright/plugin-dev')
  const { plugin, scenarios } = await readPluginWith(folder)
  const results = await seeAll(plugin, chooseScenarios(scenarios, options.scenario), options)
  if (options.update === true) await keepBaselines(plugin.root, results)
  const told = options.update === true ? results.map(withoutComparison) : results
  if (told.some(({ problems }) => problems.length > 0)) process.exitCode = exitCodes.invalid
  return { scenarios: told, updated: options.update === true }
}

async function seeAll(plugin: Plugin, scenarios: readonly Scenario[], options: TestOptions) {
  const { openBrowser, testScenarios } = await import('@tillwright/plugin-dev')
  const source = findDevPlatform(plugin.root, options)
  const browser = await openBrowser()
  try {
    const host = await (options.built === true ? published(plugin, source) : developed(plugin, source))
    try {
      return await testScenarios({
        root: plugin.root,
        browser,
        host,
        scenarios,
        // Modules that are being written are neither bundled nor compressed.
        pageBytesMax: options.built === true ? (plugin.budgets.pageBytes ?? null) : null,
        tell: (result) => void (options.json !== true && process.stderr.write(showResult(result))),
      })
    } finally {
      await host.stop()
    }
  } finally {
    await Promise.all([browser.close(), source.stop()])
  }
}

async function developed(plugin: Plugin, { find }: PlatformSource): Promise<ScenarioHost> {
  const { devHost } = await import('@tillwright/plugin-dev')
  const tell = (event: DevEvent) => void (event.type === 'notice' && process.stderr.write(showDevEvent(event)))
  return devHost(plugin, { findPlatform: find, environment: process.env, tell })
}

/** @throws {CommandFailed} When the plugin cannot be built. */
async function published(plugin: Plugin, { find }: PlatformSource): Promise<ScenarioHost> {
  const { publishedHost } = await import('@tillwright/plugin-dev')
  const { deployForTest } = await import('./deploy-for-test.ts')
  const { storeId, ...platform } = await find()
  if (storeId === null) throw new CommandFailed('--store: the login names no store to deploy to.', 'usage')
  const url = await deployForTest(plugin.root, { ...platform, storeId })
  return publishedHost(plugin, { findPlatform: find, url })
}

/** Pictures that were just replaced are not compared with their former selves. */
function withoutComparison(result: ScenarioResult): ScenarioResult {
  return {
    ...result,
    baseline: 'same',
    difference: null,
    problems: result.problems.filter(({ kind }) => kind !== 'picture'),
  }
}

/** What `tillwright test` has found. */
interface Tested {
  scenarios: ScenarioResult[]
  /** Whether the pictures were kept for later ones. */
  updated: boolean
}

/** How one scenario went, while the others go on. */
export function showResult({ name, problems, tookMs, picture, difference }: ScenarioResult): string {
  const mark = problems.length === 0 ? pc.green('✓') : pc.red('✗')
  const lines = problems.map(({ kind, message }) => `    ${pc.red(kind)} ${message}\n`)
  const differing = difference === null ? '' : `    ${pc.dim(`see ${difference}`)}\n`
  return `${mark} ${name} ${pc.dim(`${picture} ${tookMs} ms`)}\n${lines.join('')}${differing}`
}

/** What all of it came to. */
export function showTested({ scenarios, updated }: Tested): string {
  const failed = scenarios.filter(({ problems }) => problems.length > 0).length
  const all = `${scenarios.length} ${scenarios.length === 1 ? 'scenario' : 'scenarios'}`
  const compared = scenarios.filter(({ baseline }) => baseline !== null).length
  const pictures = updated ? 'their pictures are kept in screenshots' : `${compared} compared with a picture`
  return `${all}, ${failed === 0 ? 'nothing is wrong' : `something is wrong with ${failed}`}; ${pictures}.\n`
}
