import { Command } from 'commander'
import { chooseStore } from '../publish/choose-store.ts'
import { storeOption } from '../publish/publish-options.ts'
import { askPlatform } from '../target/ask-platform.ts'
import type { TargetOptions } from '../target/find-target.ts'
import { withTarget } from '../target/target-option.ts'
import { jsonOption, type OutputOptions } from '../terminal/answer.ts'
import { confirm, yesOption, type ConfirmOptions } from '../terminal/confirm.ts'

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
