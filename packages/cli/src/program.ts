import { Command } from 'commander'
import manifest from '../package.json' with { type: 'json' }
import { startCommand } from './start/start-command.ts'

/** `tillwright`: each command parses, calls and prints; the work is done in the packages behind it. */
export const program = new Command('tillwright')
  .description(manifest.description)
  .version(manifest.version)
  .showHelpAfterError()
  .addCommand(startCommand)
