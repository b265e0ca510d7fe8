import { type Plugin, readPlugin } from '@tillwright/plugin-build'
import type { ReadScenarios, Scenario } from '@tillwright/plugin-dev'
import { CommandFailed, partMissing } from '../terminal/fail-with.ts'
import { printNotice } from '../terminal/print.ts'
import { showProblems } from './plugin-command.ts'

/**
 * The named scenarios of a plugin, or all of them.
 *
 * @throws {CommandFailed} `usage`, for an unknown name.
 */
export function chooseScenarios(scenarios: readonly Scenario[], names: readonly string[] = []): readonly Scenario[] {
  const unknown = names.find((name) => scenarios.every((each) => each.name !== name))
  if (unknown !== undefined) {
    const known = scenarios.map(({ name }) => `"${name}"`).join(', ')
    throw new CommandFailed(`--scenario: there is no "${unknown}"; choose one of: ${known}.`, 'usage')
  }
  return names.length === 0 ? scenarios : scenarios.filter(({ name }) => names.includes(name))
}

/** A plugin without errors, and its scenarios. */
export interface PluginWithScenarios {
  plugin: Plugin
  scenarios: readonly Scenario[]
}

/**
 * Reads the plugin in a folder with its scenarios. Problems are printed to the standard error.
 *
 * @throws {CommandFailed} `invalid`, if there is an error.
 */
export async function readPluginWith(folder: string): Promise<PluginWithScenarios> {
  const { readScenarios } = await import('@tillwright/plugin-dev/scenarios')
  const { plugin, problems } = await readPlugin(folder)
  const read = plugin === null ? null : await readScenarios(plugin)
  printNotice(showProblems([...problems, ...(read?.problems ?? [])]))
  if (plugin !== null && read?.scenarios != null) return { plugin, scenarios: read.scenarios }
  throw new CommandFailed(`${folder}: fix these errors first.`, 'invalid')
}

/** Reads a plugin's scenarios; `null` where the dev server's package is not installed, which they belong to. */
export async function scenariosIfInstalled(plugin: Plugin): Promise<ReadScenarios | null> {
  try {
    const { readScenarios } = await import('@tillwright/plugin-dev/scenarios')
    return await readScenarios(plugin)
  } catch (error) {
    if (partMissing(error) !== null) return null
    throw error
  }
}
