import { Command } from 'commander'
import manifest from '../package.json' with { type: 'json' }
import { accountsCommand } from './accounts/accounts-command.ts'
import { flowsCommand } from './flows/flows-command.ts'
import { clockCommand } from './clock/clock-command.ts'
import { keysCommand } from './keys/keys-command.ts'
import { paymentsCommand } from './payments/payments-command.ts'
import { processorsCommand } from './processors/processors-command.ts'
import { startCommand } from './start/start-command.ts'
import { threedsCommand } from './threeds/threeds-command.ts'
import { webhooksCommand } from './webhooks/webhooks-command.ts'

/** `tillwright`: each command parses, calls and prints; the work is done in the packages behind it. */
export const program = new Command('tillwright')
  .description(manifest.description)
  .version(manifest.version)
  .showHelpAfterError()
  .addCommand(startCommand)
  .addCommand(accountsCommand)
  .addCommand(keysCommand)
  .addCommand(processorsCommand)
  .addCommand(threedsCommand)
  .addCommand(webhooksCommand)
  .addCommand(clockCommand)
  .addCommand(paymentsCommand)
  .addCommand(flowsCommand)
