import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Plugin, PLUGIN_TYPES_FILE, pluginTypes, type Problem, readPlugin } from '@tillwright/plugin-build'
import { CommandFailed } from '../terminal/fail-with.ts'
import { answer, type OutputOptions } from '../terminal/output.ts'
import { dryRunOption, judge, pluginCommand, showProblems } from './plugin-command.ts'
import { writeText } from './write-text.ts'

interface TypesOptions extends OutputOptions {
  dryRun?: boolean
}

interface Typed {
  file: string
  /** Whether the types are other ones than before; null when the plugin has errors, so that there are none. */
  changed: boolean | null
  problems: Problem[]
  dryRun: boolean
}

const help = `
It writes ${PLUGIN_TYPES_FILE}: the types of settings, route parameters, resources and public variables, so that a wrong
key is an error in the editor. Write it again when the manifest or the settings change.`

/** `tillwright types`. */
export const typesCommand = pluginCommand('types')
  .option(...dryRunOption)
  .addHelpText('after', help)
  .action((folder: string, options: TypesOptions) => answer(options, () => types(folder, options), show))

async function types(folder: string, { dryRun = false }: TypesOptions): Promise<Typed> {
  const { plugin, problems } = await readPlugin(folder)
  judge(problems)
  const changed = plugin === null ? null : await writeTypes(plugin, { dryRun })
  return { file: PLUGIN_TYPES_FILE, changed, problems, dryRun }
}

function show({ file, changed, problems, dryRun }: Typed): string {
  if (changed === null) return showProblems(problems)
  const done = dryRun ? `Would write ${file}.` : `Wrote ${file}.`
  return `${showProblems(problems)}${changed ? done : `${file} says so already.`}\n`
}

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
