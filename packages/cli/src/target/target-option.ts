import { Option, type Command } from 'commander'
import { targetNames } from './target.ts'

/** Gives a command the options that name its platform. */
export function withTarget(command: Command): Command {
  return command
    .addOption(
      new Option('--target <name>', 'which platform: the local one, if it runs, unless another is named').choices(
        targetNames,
      ),
    )
    .option('--url <url>', 'its address, where it is not that of the login')
}
