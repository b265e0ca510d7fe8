import { Command } from 'commander'
import { chooseStore } from '../publish/choose-store.ts'
import { dryRunOption, storeOption } from '../publish/publish-options.ts'
import { askPlatform } from '../target/ask-platform.ts'
import type { TargetOptions } from '../target/find-target.ts'
import { withTarget } from '../target/target-option.ts'
import { jsonOption, type OutputOptions } from '../terminal/answer.ts'
import { confirm, yesOption, type ConfirmOptions } from '../terminal/confirm.ts'
import { listDeployments } from './list-deployments.ts'
import { showDeployment, showDeployments, showView } from './show-deployments.ts'

type ReadOptions = OutputOptions & TargetOptions
type ChangeOptions = ReadOptions & ConfirmOptions & { dryRun?: true }

const list = withTarget(new Command('list'))
  .description('List the deployments of a store, the newest first')
  .option(...storeOption)
  .option('--plugin <id>', 'only those of one plugin')
  .option('--all', 'those too that are archived or removed')
  .option(...jsonOption)
  .action((options: ReadOptions & { store?: string; plugin?: string; all?: true }) =>
    askPlatform(
      options,
      (connection) =>
        listDeployments(connection, {
          storeId: chooseStore(options, connection.target),
          state: options.all === true ? 'all' : 'live',
          ...(options.plugin !== undefined && { pluginId: options.plugin }),
        }),
      showDeployments,
    ),
  )

const view = withTarget(new Command('view'))
  .description('Show a deployment with its files, aliases and domains')
  .argument('<id>', 'the deployment: dep_...')
  .option(...jsonOption)
  .action((deploymentId: string, options: ReadOptions) =>
    askPlatform(options, ({ client }) => client.pluginManagement.view({ deploymentId }), showView),
  )

const activate = changing('activate', 'Let the store use a deployment')
const remove = changing('remove', 'Take a deployment away; it can be restored for 24 hours')
const restore = changing('restore', 'Bring a removed deployment back')

/** `tillwright deployments`: what is deployed, and which of it is used. */
export const deploymentsCommand = new Command('deployments')
  .addCommand(list)
  .addCommand(view)
  .addCommand(activate)
  .addCommand(remove)
  .addCommand(restore)

function changing(name: 'activate' | 'remove' | 'restore', description: string): Command {
  return withTarget(new Command(name))
    .description(description)
    .argument('<id>', 'the deployment: dep_...')
    .option(...dryRunOption)
    .option(...yesOption)
    .option(...jsonOption)
    .action((deploymentId: string, options: ChangeOptions) =>
      askPlatform(
        options,
        async ({ client, target }) => {
          const { deployment } = await client.pluginManagement.view({ deploymentId })
          if (options.dryRun === true) return deployment
          const { pluginId, version } = deployment
          if (target.name === 'production') await confirm(`${name} ${pluginId} ${version} in production?`, options)
          return (await client.pluginManagement[name]({ deploymentId })).deployment
        },
        showDeployment,
      ),
    )
}
