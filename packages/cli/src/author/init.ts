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
For an existing project: adds plugin.manifest.json with the pages in src/pages, or with the application in src/app. Existing
files are not changed. In an empty folder, it creates a minimal plugin with one page that needs no packages. To start
from a template with tests and a dev server, use: npm create @tillwright/plugin`

/** `tillwright init`. */
export const initCommand = pluginCommand('init')
  .option('--name <name>', "the plugin's name; the folder's name by default", pluginName)
  .addOption(
    new Option('--mode <mode>', 'whether each page is a document, or all pages are one application').choices([
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
  throw new InvalidArgumentError(`It must have 1 to ${NAME_MAX_CHARS} characters.`)
}

function show({ folder, pluginId, files, problems, dryRun }: Initiated): string {
  const written = files.map((path) => `  ${path}\n`).join('')
  const next =
    dryRun || problems.length > 0 ? '' : `\nNext:${folder === '.' ? '' : ` cd ${folder}, then`} tillwright build\n`
  return `${dryRun ? 'Would create' : 'Created'} the plugin ${pluginId}:\n${written}${showProblems(problems)}${next}`
}

/** The result of initializing a folder. */
interface Initiated {
  /** As passed by the user. */
  folder: string
  pluginId: string
  mode: 'direct-mode' | 'spa-mode'
  pages: { id: string; path: string }[]
  /** The files that were written, or would be in a dry run. */
  files: string[]
  /** Problems to fix before the plugin builds; only an existing project has any. */
  problems: Problem[]
  dryRun: boolean
}

/**
 * Turns a folder into a plugin. Existing files are not changed.
 *
 * @throws {CommandFailed} If the folder already is a plugin.
 */
async function init(folder: string, wanted: WantedPlugin, { dryRun }: { dryRun: boolean }): Promise<Initiated> {
  if (await exists(join(folder, PLUGIN_FILE))) {
    throw new CommandFailed(`${PLUGIN_FILE} already exists: the folder is a plugin. Nothing was written.`, 'conflict')
  }
  const { files, ...about } = await startPlugin(folder, wanted)
  // Existing modules may not need the types yet; ours do not type-check without them.
  const hasTypes = files.length > 1 && !(await exists(join(folder, PLUGIN_TYPES_FILE)))
  const paths = [...files.map(({ path }) => path), ...(hasTypes ? [PLUGIN_TYPES_FILE] : [])]
  const made = { folder, ...about, files: paths, dryRun }
  if (dryRun) return { ...made, problems: [] }
  await mkdir(folder, { recursive: true })
  // The manifest comes last, so that an interrupted run does not leave half a plugin.
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
 * The properties of the new plugin, from the options or from prompts. With `--yes`, in CI and without a terminal,
 * nothing is asked.
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
