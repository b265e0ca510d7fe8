import { mkdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { NAME_MAX_CHARS, PLUGIN_FILE } from '@tillwright/contract'
import {
  PLUGIN_TYPES_FILE,
  pluginNameOf,
  type Problem,
  readPlugin,
  startPlugin,
  type WantedPlugin,
} from '@tillwright/plugin-build'
import { InvalidArgumentError, Option } from 'commander'
import { CommandFailed } from '../terminal/fail-with.ts'
import { type ConfirmOptions, isInteractive, yesOption } from '../terminal/interaction.ts'
import { answer, type OutputOptions } from '../terminal/output.ts'
import { dryRunOption, judge, pluginCommand, showProblems } from './plugin-command.ts'
import { writeTypes } from './types.ts'
import { writeNew } from './write-text.ts'

interface InitOptions extends OutputOptions {
  name?: string
  mode?: 'direct-mode' | 'spa-mode'
  yes?: boolean
  dryRun?: boolean
}

const help = `
It is for a project that is there: it adds plugin.manifest.json with the pages of src/pages, or with the application of
src/app. No file that is there is touched. In an empty folder it writes the least that is a plugin, one page that needs no
package. To begin from a template, with tests and a dev server: npm create @tillwright/plugin.`

/** `tillwright init`. */
export const initCommand = pluginCommand('init')
  .option('--name <name>', 'what the plugin is called; as its folder, unless given', pluginName)
  .addOption(
    new Option('--mode <mode>', 'whether each page is a document, or all are one application').choices([
      'direct-mode',
      'spa-mode',
    ]),
  )
  .option(...yesOption)
  .option(...dryRunOption)
  .addHelpText('after', help)
  .action((folder: string, { dryRun = false, ...options }: InitOptions) =>
    answer(options, async () => init(folder, await askPlugin(folder, options), { dryRun }), show),
  )

function pluginName(text: string): string {
  const name = text.trim()
  if (name.length >= 1 && name.length <= NAME_MAX_CHARS) return name
  throw new InvalidArgumentError(`It must be a text of 1 to ${NAME_MAX_CHARS} characters.`)
}

function show({ folder, pluginId, files, problems, dryRun }: Initiated): string {
  const written = files.map((path) => `  ${path}\n`).join('')
  const next =
    dryRun || problems.length > 0 ? '' : `\nNext:${folder === '.' ? '' : ` cd ${folder}, then`} tillwright build\n`
  return `${dryRun ? 'Would make' : 'Made'} the plugin ${pluginId}:\n${written}${showProblems(problems)}${next}`
}

/** What was made of a folder. */
interface Initiated {
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
async function init(folder: string, wanted: WantedPlugin, { dryRun }: { dryRun: boolean }): Promise<Initiated> {
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

/**
 * What a new plugin is to be: as the options say, else as whoever sits there says. With `--yes`, in CI and where no
 * terminal is, nobody is asked.
 *
 * @throws {CommandFailed} After Ctrl-C.
 */
async function askPlugin(
  folder: string,
  { name, mode, yes }: Partial<WantedPlugin> & ConfirmOptions,
): Promise<WantedPlugin> {
  const usual = pluginNameOf(folder)
  if (name !== undefined || yes === true || !isInteractive()) return { name: name ?? usual, mode }
  const { text } = await import('@clack/prompts')
  const typed = await text({
    message: 'Name of the plugin',
    defaultValue: usual,
    placeholder: usual,
    output: process.stderr,
  })
  if (typeof typed === 'string') return { name: typed, mode }
  throw new CommandFailed('Nothing was written.', 'interrupted')
}
