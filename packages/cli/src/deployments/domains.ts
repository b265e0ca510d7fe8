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
  .description('List the domains that show plugins of a store')
  .option(...storeOption)
  .option(...jsonOption)
  .action((options: OutputOptions & TargetOptions & { store?: string }) =>
    askPlatform(options, (connection) => listRoutes(chooseStore(options, connection.target), connection), show),
  )

const remove = withTarget(new Command('remove'))
  .description('Take a plugin off a domain; the domain stays yours and can be promoted again')
  .argument('<domain>', 'the host name, such as pay.shop.example')
  .option('--path <path>', 'where on the host the pages begin', '/')
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
          ? `${hostname}${path} shows ${pluginId}, and would be taken off.\n`
          : `${hostname}${path} shows nothing any more; "tillwright promote ${pluginId} ${hostname}" brings it back.\n`,
    ),
  )

/** `tillwright domains`: the places on domains that show plugins of a store. */
export const domainsCommand = new Command('domains').addCommand(list, { isDefault: true }).addCommand(remove)

async function listRoutes(storeId: string, { client }: Connection): Promise<Routes> {
  return (await client.pluginManagement.domains({ storeId })).routes
}

async function removeRoute(domain: string, options: RemoveOptions, connection: Connection): Promise<Routes[number]> {
  const { client, target } = connection
  const storeId = chooseStore(options, target)
  if (options.dryRun === true) return findRoute(domain, options, await listRoutes(storeId, connection))
  if (target.name === 'production') await confirm(`Show nothing on ${domain}${options.path} any more?`, options)
  return (await client.pluginManagement.removeDomain({ storeId, hostname: domain, path: options.path })).route
}

function findRoute(domain: string, { path }: RemoveOptions, routes: Routes): Routes[number] {
  const wanted = `${domain.toLowerCase()}${path}`
  const route = routes.find((each) => each.hostname + each.path === wanted)
  if (route !== undefined) return route
  throw new CommandFailed(`No plugin is shown on ${wanted}; "tillwright domains" lists where they are.`)
}

function show(routes: Routes): string {
  if (routes.length === 0) return 'No domain shows a plugin yet; "tillwright promote" lets one.\n'
  return table(
    ['domain', 'plugin', 'deployment', 'follows'],
    routes.map(({ hostname, path, pluginId, deploymentId, follows }) => [
      hostname + path,
      pluginId,
      deploymentId,
      follows === 'active' ? 'what is active' : 'this deployment',
    ]),
  )
}

type PromoteOptions = OutputOptions & TargetOptions & ConfirmOptions & { store?: string; path: string }

const help = `
A plugin's id follows what is active: every publish and rollback shows there at once. A deployment's id stays with that
deployment. Outside of local platforms a TXT record proves that the domain is yours; the refusal says which.`

/** `tillwright promote`: a domain shows a plugin. */
export const promoteCommand = withTarget(new Command('promote'))
  .argument('<what>', 'the id of a plugin, or of one deployment: dep_...')
  .argument('<domain>', 'the host name, such as pay.shop.example')
  .option('--path <path>', 'where on the host the pages begin', '/')
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
      ({ message, route }) =>
        `${message}\n${route.hostname}${route.path} shows ${route.pluginId} (${route.deploymentId}).\n`,
    ),
  )
