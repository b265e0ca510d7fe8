import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { PLUGIN_TYPES_FILE, pluginTypes, type Plugin } from '@tillwright/plugin-build'
import { CommandFailed } from '../terminal/fail-with.ts'
import { writeText } from './write-text.ts'

/** How every text begins that was written here. */
const MARK = '// Written by `tillwright types`'

/**
 * Writes the types of a plugin into its folder, unless they are there already.
 *
 * @returns Whether they are other ones than before.
 * @throws {CommandFailed} When the file is somebody's own.
 */
export async function writeTypes(plugin: Plugin, { dryRun }: { dryRun: boolean }): Promise<boolean> {
  const text = pluginTypes(plugin)
  const former = await readFile(join(plugin.root, PLUGIN_TYPES_FILE), 'utf8').catch(() => null)
  if (former === text) return false
  if (former !== null && !former.startsWith(MARK)) {
    throw new CommandFailed(
      `${PLUGIN_TYPES_FILE} was not written by tillwright: move what is in it to another file, and delete it.`,
      'conflict',
    )
  }
  if (!dryRun) await writeText(plugin.root, { path: PLUGIN_TYPES_FILE, text })
  return true
}
