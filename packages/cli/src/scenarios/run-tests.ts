import type { Plugin } from '@tillwright/plugin-build'
import type { DevEvent, Scenario, ScenarioHost, ScenarioResult } from '@tillwright/plugin-dev'
import pc from 'picocolors'
import { chooseScenarios, readPluginWith } from '../author/plugin-scenarios.ts'
import type { DevCommandOptions } from '../dev/dev-options.ts'
import { showDevEvent } from '../dev/dev-output.ts'
import { findDevPlatform, type PlatformSource } from '../dev/find-dev-platform.ts'
import { CommandFailed, exitCodes } from '../terminal/fail-with.ts'

/** The options of `tillwright test`. */
export interface TestOptions extends Pick<DevCommandOptions, 'json' | 'target' | 'url' | 'publishableKey'> {
  built?: true
  scenario?: string[]
  update?: true
}

/** Tests the scenarios of the plugin in a folder. The process exits with `invalid` if one has problems. */
export async function runTests(folder: string, options: TestOptions): Promise<Tested> {
  const { keepBaselines } = await import('@tillwright/plugin-dev')
  const { plugin, scenarios } = await readPluginWith(folder)
  const results = await seeAll(plugin, chooseScenarios(scenarios, options.scenario), options)
  if (options.update === true) await keepBaselines(plugin.root, results)
  const reported = options.update === true ? results.map(withoutComparison) : results
  if (reported.some(({ problems }) => problems.length > 0)) process.exitCode = exitCodes.invalid
  return { scenarios: reported, updated: options.update === true }
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
        // Modules in development are neither bundled nor compressed.
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

/** @throws {CommandFailed} If the plugin cannot be built. */
async function published(plugin: Plugin, { find }: PlatformSource): Promise<ScenarioHost> {
  const { publishedHost } = await import('@tillwright/plugin-dev')
  const { deployForTest } = await import('./deploy-for-test.ts')
  const { storeId, ...platform } = await find()
  if (storeId === null) throw new CommandFailed('--store: the login has no store to deploy to.', 'usage')
  const { url, remove } = await deployForTest(plugin.root, { ...platform, storeId })
  const host = await publishedHost(plugin, { findPlatform: find, url }).catch(async (error: unknown) => {
    await remove()
    throw error
  })
  return {
    ...host,
    async stop() {
      await host.stop()
      await remove()
    },
  }
}

/** Screenshots that were just replaced are not compared with their previous versions. */
function withoutComparison(result: ScenarioResult): ScenarioResult {
  return {
    ...result,
    baseline: 'same',
    difference: null,
    problems: result.problems.filter(({ kind }) => kind !== 'screenshot'),
  }
}

/** The result of `tillwright test`. */
interface Tested {
  scenarios: ScenarioResult[]
  /** Whether the screenshots were saved to compare later ones with. */
  updated: boolean
}

/** The result of one scenario, shown while the others are running. */
function showResult({ name, problems, tookMs, screenshot, difference }: ScenarioResult): string {
  const mark = problems.length === 0 ? pc.green('✓') : pc.red('✗')
  const lines = problems.map(({ kind, message }) => `    ${pc.red(kind)} ${message}\n`)
  const differing = difference === null ? '' : `    ${pc.dim(`see ${difference}`)}\n`
  return `${mark} ${name} ${pc.dim(`${screenshot} ${tookMs} ms`)}\n${lines.join('')}${differing}`
}

/** The result of all scenarios. */
export function showTested({ scenarios, updated }: Tested): string {
  const failed = scenarios.filter(({ problems }) => problems.length > 0).length
  const all = `${scenarios.length} ${scenarios.length === 1 ? 'scenario' : 'scenarios'}`
  const compared = scenarios.filter(({ baseline }) => baseline !== null).length
  const screenshots = updated ? 'their screenshots are saved in screenshots' : `${compared} compared with a screenshot`
  return `${all}, ${failed === 0 ? 'no problems' : `problems in ${failed}`}; ${screenshots}.\n`
}
