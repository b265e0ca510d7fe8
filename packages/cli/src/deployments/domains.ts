import { Command } from 'commander'
import { chooseStore, dryRunOption, storeOption } from '../publish/publish-options.ts'
import { askPlatform } from '../target/ask-platform.ts'
import type { Connection } from '../target/connect.ts'
import { type TargetOptions, withTarget } from '../target/find-target.ts'
import { CommandFailed } from '../terminal/fail-with.ts'
import { confirm, type ConfirmOptions, yesOption } from '../terminal/interaction.ts'
import { jsonOption, type OutputOptions, table } from '../terminal/output.ts'

type Routes = Awaited<ReturnType<Connection['client']['pluginManagement']['domains']>>['routes']

type RemoveOptions = OutputOptions & TargetOptions & ConfirmOptions & { store?: string; path: string; dryRun?: true }

const list = withTarget(new Command('list'))
  .description('List the domains of a store')
  .option(...storeOption)
  .option(...jsonOption)
  .action((options: OutputOptions & TargetOptions & { store?: string }) =>
    askPlatform(options, (connection) => listRoutes(chooseStore(options, connection.target), connection), show),
  )

const remove = withTarget(new Command('remove'))
  .description('Remove a plugin from a domain; the domain remains yours and can be promoted to again')
  .argument('<domain>', 'the host name, such as pay.shop.example')
  .option('--path <path>', 'the path on the host where the pages start', '/')
  .option(...storeOption)
  .option(...dryRunOption)
  .option(...yesOption)
  .option(...jsonOption)
  .action((domain: string, options: RemoveOptions) =>
    askPlatform(
      options,
      (connection) => removeRoute(domain, options, connection),
      ({ hostname, path, pluginId }) =>
        options.dryRun === true
          ? `${hostname}${path} shows ${pluginId} and would be removed.\n`
          : `${hostname}${path} no longer shows anything; undo this with "tillwright promote ${pluginId} ${hostname}".\n`,
    ),
  )

const check = withTarget(new Command('check'))
  .description('Check the DNS records that a domain needs before a plugin can be promoted to it')
  .argument('<domain>', 'the host name, such as pay.shop.example')
  .option(...storeOption)
  .option(...jsonOption)
  .action((domain: string, options: OutputOptions & TargetOptions & { store?: string }) =>
    askPlatform(
      options,
      ({ client, target }) =>
        client.pluginManagement.checkDomain({ storeId: chooseStore(options, target), hostname: domain }),
      showCheck,
    ),
  )

/** `tillwright domains`: lists, checks and removes a store's domains. */
export const domainsCommand = new Command('domains')
  .addCommand(list, { isDefault: true })
  .addCommand(check)
  .addCommand(remove)

type DomainCheck = Awaited<ReturnType<Connection['client']['pluginManagement']['checkDomain']>>

const statusWords: Readonly<Record<DomainCheck['records'][number]['status'], string>> = {
  found: 'is set',
  missing: 'is missing',
  different: 'is set to something else',
  unknown: 'could not be looked up',
  not_needed: 'is not needed',
}

function showCheck({ hostname, owner, ready, records }: DomainCheck): string {
  const lines = records.map(({ type, name, value, found, status }) => {
    const instead = status === 'different' ? `, to ${found.join(' ')}` : ''
    return `${type} ${name}\n  ${value}\n  ${statusWords[status]}${instead}\n`
  })
  if (owner === 'another') return `${hostname} belongs to another account.\n`
  const end = ready
    ? `${hostname} can be promoted to.\n`
    : `${hostname} cannot be promoted to until its TXT record is set.\n`
  return [...lines, end].join('')
}

async function listRoutes(storeId: string, { client }: Connection): Promise<Routes> {
  return (await client.pluginManagement.domains({ storeId })).routes
}

async function removeRoute(domain: string, options: RemoveOptions, connection: Connection): Promise<Routes[number]> {
  const { client, target } = connection
  const storeId = chooseStore(options, target)
  if (options.dryRun === true) return findRoute(domain, options, await listRoutes(storeId, connection))
  if (target.name === 'production') await confirm(`Remove the plugin from ${domain}${options.path}?`, options)
  return (await client.pluginManagement.removeDomain({ storeId, hostname: domain, path: options.path })).route
}

function findRoute(domain: string, { path }: RemoveOptions, routes: Routes): Routes[number] {
  const wanted = `${domain.toLowerCase()}${path}`
  const route = routes.find((each) => each.hostname + each.path === wanted)
  if (route !== undefined) return route
  throw new CommandFailed(`${wanted} shows no plugin; "tillwright domains" lists those that do.`)
}

function show(routes: Routes): string {
  if (routes.length === 0) return 'No domain shows a plugin yet; add one with "tillwright promote".\n'
  return table(
    ['domain', 'plugin', 'deployment', 'follows'],
    routes.map(({ hostname, path, pluginId, deploymentId, follows }) => [
      hostname + path,
      pluginId,
      deploymentId,
      follows === 'active' ? 'the active one' : 'this deployment',
    ]),
  )
}

type PromoteOptions = OutputOptions & TargetOptions & ConfirmOptions & { store?: string; path: string }

const help = `
With a plugin's id, the domain follows the active deployment: every publish and rollback appears there at once. With a
deployment's id, it stays on that deployment. Except on local platforms, a TXT record has to prove that the domain is
yours; the error message contains the record to create.`

/** `tillwright promote`: shows a plugin on a domain. */
export const promoteCommand = withTarget(new Command('promote'))
  .argument('<what>', 'the id of a plugin, or of a deployment: dep_...')
  .argument('<domain>', 'the host name, such as pay.shop.example')
  .option('--path <path>', 'the path on the host where the pages start', '/')
  .option(...storeOption)
  .option(...yesOption)
  .option(...jsonOption)
  .addHelpText('after', help)
  .action((what: string, domain: string, options: PromoteOptions) =>
    askPlatform(
      options,
      async ({ client, target }) => {
        if (target.name === 'production') await confirm(`Show ${what} on ${domain}${options.path}?`, options)
        const { path } = options
        const body = what.startsWith('dep_')
          ? { deploymentId: what, customDomain: domain, basePath: path }
          : { pluginId: what, storeId: chooseStore(options, target), hostname: domain, path }
        return client.plugins.promoteToCustomDomain(body)
      },
      ({ message, route }) => `${message}\nThe plugin is ${route.pluginId}, the deployment ${route.deploymentId}.\n`,
    ),
  )
