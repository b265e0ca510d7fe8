import { NAME_MAX_CHARS } from '@tillwright/contract'
import { InvalidArgumentError, Option } from 'commander'
import { answer, type OutputOptions } from '../terminal/answer.ts'
import { yesOption } from '../terminal/confirm.ts'
import { askPlugin } from './ask-plugin.ts'
import { init, type Initiated } from './init.ts'
import { dryRunOption, pluginCommand } from './plugin-command.ts'
import { showProblems } from './show-problems.ts'

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
