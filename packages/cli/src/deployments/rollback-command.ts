import { Command } from 'commander'
import { chooseStore } from '../publish/choose-store.ts'
import { storeOption } from '../publish/publish-options.ts'
import { askPlatform } from '../target/ask-platform.ts'
import type { TargetOptions } from '../target/find-target.ts'
import { withTarget } from '../target/target-option.ts'
import { jsonOption, type OutputOptions } from '../terminal/answer.ts'
import { confirm, yesOption, type ConfirmOptions } from '../terminal/confirm.ts'

type RollbackOptions = OutputOptions & TargetOptions & ConfirmOptions & { store?: string }

/** `tillwright rollback`: back to what was active before; again goes further back. */
export const rollbackCommand = withTarget(new Command('rollback'))
  .argument('<plugin>', 'the id of the plugin')
  .option(...storeOption)
  .option(...yesOption)
  .option(...jsonOption)
  .action((pluginId: string, options: RollbackOptions) =>
    askPlatform(
      options,
      async ({ client, target }) => {
        const storeId = chooseStore(options, target)
        if (target.name === 'production') await confirm(`Roll ${pluginId} back in production?`, options)
        return client.pluginManagement.rollback({ storeId, pluginId })
      },
      ({ deployment, formerDeploymentId }) =>
        `${deployment.pluginId} ${deployment.version} is active again: ${deployment.url} (instead of ${formerDeploymentId}).\n`,
    ),
  )
