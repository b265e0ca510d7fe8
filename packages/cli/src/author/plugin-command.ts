import type { Problem } from '@tillwright/plugin-build'
import { Command } from 'commander'
import { exitCodes } from '../terminal/exit-codes.ts'
import { jsonOption } from '../terminal/answer.ts'

/** What `--dry-run` is called everywhere. */
export const dryRunOption = ['--dry-run', 'say what would be done, and do nothing'] as const

/** A command that works on a plugin's folder, which is the current one unless another is named. */
export function pluginCommand(name: string): Command {
  return new Command(name).argument('[folder]', "the plugin's folder", '.').option(...jsonOption)
}

/** Makes the process end with `invalid` when one of the problems is an error, and says whether none is. */
export function judge(problems: readonly Problem[]): boolean {
  const valid = problems.every(({ severity }) => severity !== 'error')
  if (!valid) process.exitCode = exitCodes.invalid
  return valid
}
