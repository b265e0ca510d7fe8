import { readPlugin, type Plugin } from '@tillwright/plugin-build'
import type { Scenario } from '@tillwright/plugin-dev'
import { showProblems } from '../author/show-problems.ts'
import { CommandFailed } from '../terminal/fail-with.ts'

/** A plugin without errors, and what it is to be seen in. */
export interface PluginWithScenarios {
  plugin: Plugin
  scenarios: readonly Scenario[]
}

/**
 * Reads the plugin in a folder with its scenarios. What is wrong with them is told on the standard error.
 *
 * @throws {CommandFailed} `invalid`, when there is an error.
 */
export async function readPluginWith(folder: string): Promise<PluginWithScenarios> {
  const { readScenarios } = await import('@tillwright/plugin-dev')
  const { plugin, problems } = await readPlugin(folder)
  const read = plugin === null ? null : await readScenarios(plugin)
  process.stderr.write(showProblems([...problems, ...(read?.problems ?? [])]))
  if (plugin !== null && read?.scenarios != null) return { plugin, scenarios: read.scenarios }
  throw new CommandFailed(`${folder}: mend these errors first.`, 'invalid')
}
