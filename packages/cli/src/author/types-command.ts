import { PLUGIN_TYPES_FILE, readPlugin, type Problem } from '@tillwright/plugin-build'
import { answer, type OutputOptions } from '../terminal/answer.ts'
import { dryRunOption, judge, pluginCommand } from './plugin-command.ts'
import { showProblems } from './show-problems.ts'
import { writeTypes } from './write-types.ts'

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
