import { mkdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { PLUGIN_FILE } from '@tillwright/contract'
import { PLUGIN_TYPES_FILE, readPlugin, startPlugin, type Problem, type WantedPlugin } from '@tillwright/plugin-build'
import { CommandFailed } from '../terminal/fail-with.ts'
import { judge } from './plugin-command.ts'
import { writeNew } from './write-text.ts'
import { writeTypes } from './write-types.ts'

/** What was made of a folder. */
export interface Initiated {
  /** As it was named. */
  folder: string
  pluginId: string
  mode: 'direct-mode' | 'spa-mode'
  pages: { id: string; path: string }[]
  /** The files that were written, or would be. */
  files: string[]
  /** What has to be put right before the plugin builds: only a project that was there has any. */
  problems: Problem[]
  dryRun: boolean
}

/**
 * Makes a folder a plugin. Files that are there stay as they are.
 *
 * @throws {CommandFailed} When it is one already.
 */
export async function init(folder: string, wanted: WantedPlugin, { dryRun }: { dryRun: boolean }): Promise<Initiated> {
  if (await exists(join(folder, PLUGIN_FILE))) {
    throw new CommandFailed(`${PLUGIN_FILE} is there already: the folder is a plugin. Nothing was written.`, 'conflict')
  }
  const { files, ...about } = await startPlugin(folder, wanted)
  // Who has modules of their own writes the types when they want them; ours does not type-check without.
  const hasTypes = files.length > 1 && !(await exists(join(folder, PLUGIN_TYPES_FILE)))
  const paths = [...files.map(({ path }) => path), ...(hasTypes ? [PLUGIN_TYPES_FILE] : [])]
  const made = { folder, ...about, files: paths, dryRun }
  if (dryRun) return { ...made, problems: [] }
  await mkdir(folder, { recursive: true })
  // The manifest comes last, so that the folder is no plugin before all of it is there.
  for (const file of files.toReversed()) await writeNew(folder, file)
  const { plugin, problems } = await readPlugin(folder)
  judge(problems)
  if (plugin !== null && hasTypes) await writeTypes(plugin, { dryRun })
  return { ...made, problems }
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  )
}
