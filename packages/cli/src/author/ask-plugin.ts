import { pluginNameOf, type WantedPlugin } from '@tillwright/plugin-build'
import type { ConfirmOptions } from '../terminal/confirm.ts'
import { CommandFailed } from '../terminal/fail-with.ts'
import { isInteractive } from '../terminal/is-interactive.ts'

/**
 * What a new plugin is to be: as the options say, else as whoever sits there says. With `--yes`, in CI and where no
 * terminal is, nobody is asked.
 *
 * @throws {CommandFailed} After Ctrl-C.
 */
export async function askPlugin(
  folder: string,
  { name, mode, yes }: Partial<WantedPlugin> & ConfirmOptions,
): Promise<WantedPlugin> {
  const usual = pluginNameOf(folder)
  if (name !== undefined || yes === true || !isInteractive()) return { name: name ?? usual, mode }
  const { text } = await import('@clack/prompts')
  const answer = await text({
    message: 'Name of the plugin',
    defaultValue: usual,
    placeholder: usual,
    output: process.stderr,
  })
  if (typeof answer === 'string') return { name: answer, mode }
  throw new CommandFailed('Nothing was written.', 'interrupted')
}
