import { readPlugin } from '@tillwright/plugin-build'
import { type AuthorSettings, readContent } from '@tillwright/plugin-publish'
import { showProblems } from '../author/plugin-command.ts'
import { CommandFailed } from '../terminal/fail-with.ts'
import { printNotice } from '../terminal/print.ts'

/**
 * The settings of the plugin in a folder, and its id. Problems are printed to the standard error.
 *
 * @throws {CommandFailed} `invalid`, if one of the problems is an error.
 */
export async function readAuthorSettings(folder: string): Promise<{ pluginId: string; settings: AuthorSettings }> {
  const { plugin, problems } = await readPlugin(folder)
  printNotice(showProblems(problems))
  if (plugin === null) throw new CommandFailed(`${folder}: the plugin has errors; nothing was uploaded.`, 'invalid')
  const { pluginId, settings } = readContent(plugin, [])
  return { pluginId, settings }
}
