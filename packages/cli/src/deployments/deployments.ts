import type { Client } from '@tillwright/client'
import type { DeploymentFilter, ListedDeployment } from '@tillwright/plugin-publish'
import { Command } from 'commander'
import { chooseStore, dryRunOption, storeOption } from '../publish/publish-options.ts'
import { askPlatform } from '../target/ask-platform.ts'
import type { Connection } from '../target/connect.ts'
import { type TargetOptions, withTarget } from '../target/find-target.ts'
import { confirm, type ConfirmOptions, interruption, yesOption } from '../terminal/interaction.ts'
import { facts, jsonOption, type OutputOptions, showBytes, table } from '../terminal/output.ts'

type ReadOptions = OutputOptions & TargetOptions
type ChangeOptions = ReadOptions & ConfirmOptions & { dryRun?: true }

const list = withTarget(new Command('list'))
  .description("List a store's deployments, newest first")
  .option(...storeOption)
  .option('--plugin <id>', 'only deployments of this plugin')
  .option('--all', 'include archived and removed deployments')
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

const activate = changing('activate', 'Make a deployment the active one of its store')
const remove = changing('remove', 'Remove a deployment; it can be restored for 24 hours')
const restore = changing('restore', 'Restore a removed deployment')
const takeOffline = changing(
  'take-offline',
  'Have every address of a deployment answer 410, until it is brought online again',
)
const bringOnline = changing('bring-online', 'Show the pages of a deployment again that was taken offline')

/** `tillwright deployments`: lists and manages deployments. */
export const deploymentsCommand = new Command('deployments')
  .addCommand(list)
  .addCommand(view)
  .addCommand(activate)
  .addCommand(remove)
  .addCommand(restore)
  .addCommand(takeOffline)
  .addCommand(bringOnline)

/** What changes a deployment, by the names of commands. */
const changes = {
  activate: 'activate',
  remove: 'remove',
  restore: 'restore',
  'take-offline': 'takeOffline',
  'bring-online': 'bringOnline',
} as const

function changing(name: keyof typeof changes, description: string): Command {
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
          return (await client.pluginManagement[changes[name]]({ deploymentId })).deployment
        },
        showDeployment,
      ),
    )
}

type RollbackOptions = OutputOptions & TargetOptions & ConfirmOptions & { store?: string }

/** `tillwright rollback`: activates the previous deployment; run it again to go further back. */
export const rollbackCommand = withTarget(new Command('rollback'))
  .argument('<plugin>', "the plugin's id")
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

/** The deployments matching a filter. The publisher is loaded only by commands that use it. */
export async function listDeployments({ client }: Connection, filter: DeploymentFilter): Promise<ListedDeployment[]> {
  const publisher = await import('@tillwright/plugin-publish')
  return publisher.listDeployments(filter, { client, signal: interruption() })
}

type View = Awaited<ReturnType<Client['pluginManagement']['view']>>

/** Deployments, one per line. */
function showDeployments(deployments: readonly ListedDeployment[]): string {
  if (deployments.length === 0) return 'There are no deployments yet; create one with "tillwright publish".\n'
  return table(
    ['id', 'plugin', 'version', 'state', 'size', 'deployed', 'url'],
    deployments.map(({ id, pluginId, version, state, offlineSince, size, deployedAt, url }) => [
      id,
      pluginId,
      version,
      offlineSince === null ? state : `${state}, offline`,
      showBytes(size),
      deployedAt,
      url,
    ]),
  )
}

/** One deployment. */
function showDeployment({
  id,
  pluginId,
  version,
  state,
  url,
  offlineSince,
  restorableUntil,
}: ListedDeployment): string {
  return facts([
    ['deployment', id],
    ['plugin', `${pluginId} ${version}`],
    ['state', state],
    ['url', url],
    ...(offlineSince === null ? [] : [['offline since', offlineSince] as const]),
    ...(restorableUntil === null ? [] : [['restorable until', restorableUntil] as const]),
  ])
}

/** A deployment with all its details. */
function showView({ deployment, files, aliases, routes, revision }: View): string {
  return [
    showDeployment(deployment),
    facts([
      ['settings', `revision ${revision}`],
      ['aliases', aliases.map(({ url }) => url).join(', ') || 'none'],
      ['domains', routes.map(({ hostname, path }) => hostname + path).join(', ') || 'none'],
    ]),
    table(
      ['file', 'size', 'type'],
      files.map(({ path, size, contentType }) => [path, showBytes(size), contentType]),
    ),
  ].join('\n')
}
