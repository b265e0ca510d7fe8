import type { SyncedSettings } from '@tillwright/plugin-publish'
import { Command } from 'commander'
import { consentOf, dryRunOption, storeOption, withStrategy, type StrategyOptions } from '../publish/publish-options.ts'
import { askPlatform } from '../target/ask-platform.ts'
import type { Connection } from '../target/connect.ts'
import type { TargetOptions } from '../target/find-target.ts'
import { withTarget } from '../target/target-option.ts'
import { jsonOption, type OutputOptions } from '../terminal/answer.ts'
import { confirm, yesOption, type ConfirmOptions } from '../terminal/confirm.ts'
import type { DeploymentOptions } from './find-deployment.ts'

type SyncOptions = OutputOptions &
  TargetOptions &
  StrategyOptions &
  ConfirmOptions &
  DeploymentOptions & { force?: true; dryRun?: true }

/** Which settings a command is about. */
type Part = 'config' | 'templates'

/** `tillwright sync-config`: presets, schema and uiSchema. */
export const syncConfigCommand = syncing('sync-config', 'config')

/** `tillwright sync-templates`. */
export const syncTemplatesCommand = syncing('sync-templates', 'templates')

function syncing(name: string, part: Part): Command {
  return withStrategy(withTarget(new Command(name)))
    .argument('[folder]', "the plugin's folder", '.')
    .option('--deployment <id>', 'whose settings; the active one unless named')
    .option(...storeOption)
    .option(...dryRunOption)
    .option(...yesOption)
    .option(...jsonOption)
    .action((folder: string, options: SyncOptions) =>
      askPlatform(options, (connection) => sync(folder, { part, options }, connection), show),
    )
}

async function sync(
  folder: string,
  { part, options }: { part: Part; options: SyncOptions },
  connection: Connection,
): Promise<SyncedSettings & { deploymentId: string }> {
  const { client, target } = connection
  const [{ readAuthorSettings }, { findDeployment }, { syncSettings }, { interruption }] = await Promise.all([
    import('./read-author-settings.ts'),
    import('./find-deployment.ts'),
    import('@tillwright/plugin-publish'),
    import('../terminal/interruption.ts'),
  ])
  const { pluginId, settings } = await readAuthorSettings(folder)
  const deploymentId = await findDeployment(pluginId, options, connection)
  if (target.name === 'production' && options.dryRun !== true) {
    await confirm(`Change the settings of ${pluginId} in production?`, options)
  }
  const { schema, uiSchema, presets, templates } = settings
  const chosen =
    part === 'config'
      ? { schema, uiSchema, presets, templates: {} }
      : { schema: null, uiSchema: null, presets: {}, templates }
  const consent = consentOf(options)
  const isDryRun = options.dryRun === true
  return {
    deploymentId,
    ...(await syncSettings(chosen, deploymentId, { client, signal: interruption(), consent, isDryRun })),
  }
}

function show({ deploymentId, updated, conflicts }: SyncedSettings & { deploymentId: string }): string {
  const what = updated.length === 0 ? 'Nothing changes' : `Changed: ${updated.join(', ')}`
  return [`${what} (${deploymentId}).`, ...conflicts.map((pointer) => `The merchant's stays: ${pointer}`), ''].join(
    '\n',
  )
}
