import type { JsonChange, SyncedSettings } from '@tillwright/plugin-publish'
import { Command } from 'commander'
import { consentOf, dryRunOption, storeOption, type StrategyOptions, withStrategy } from '../publish/publish-options.ts'
import { askPlatform } from '../target/ask-platform.ts'
import type { Connection } from '../target/connect.ts'
import { type TargetOptions, withTarget } from '../target/find-target.ts'
import { confirm, type ConfirmOptions, yesOption } from '../terminal/interaction.ts'
import { jsonOption, type OutputOptions } from '../terminal/output.ts'
import type { DeploymentOptions } from './find-deployment.ts'

type DiffOptions = OutputOptions & TargetOptions & DeploymentOptions

/** `tillwright diff`: compares the settings in the folder with the live ones. */
export const diffCommand = withTarget(new Command('diff'))
  .argument('[folder]', "the plugin's folder", '.')
  .option('--deployment <id>', 'the deployment; the active one by default')
  .option(...storeOption)
  .option(...jsonOption)
  .action((folder: string, options: DiffOptions) =>
    askPlatform(
      { ...options, pluginFolder: folder },
      (connection) => diff(folder, options, connection),
      showDifferences,
    ),
  )

async function diff(folder: string, options: DiffOptions, connection: Connection): Promise<JsonChange[]> {
  const [{ readAuthorSettings }, { findDeployment }, { jsonChanges }] = await Promise.all([
    import('./read-author-settings.ts'),
    import('./find-deployment.ts'),
    import('@tillwright/plugin-publish'),
  ])
  const { pluginId, settings } = await readAuthorSettings(folder)
  const deploymentId = await findDeployment(pluginId, options, connection)
  const { schema, uiSchema, presets, templates } = await connection.client.pluginManagement.settings({ deploymentId })
  return jsonChanges({ schema, uiSchema, presets, templates }, settings)
}

function showDifferences(changes: readonly JsonChange[]): string {
  if (changes.length === 0) return 'The settings here and the live ones are the same.\n'
  const shown = (value: unknown) => (value === undefined ? 'nothing' : JSON.stringify(value))
  return changes
    .map(({ pointer, before, after }) => `${pointer}: live ${shown(before)}, here ${shown(after)}\n`)
    .join('')
}

type SyncOptions = OutputOptions &
  TargetOptions &
  StrategyOptions &
  ConfirmOptions &
  DeploymentOptions & { force?: true; dryRun?: true }

/** The settings that a command syncs. */
type Part = 'config' | 'templates'

/** `tillwright sync-config`: syncs presets, schema and uiSchema. */
export const syncConfigCommand = syncing('sync-config', 'config')

/** `tillwright sync-templates`: syncs templates. */
export const syncTemplatesCommand = syncing('sync-templates', 'templates')

function syncing(name: string, part: Part): Command {
  return withStrategy(withTarget(new Command(name)))
    .argument('[folder]', "the plugin's folder", '.')
    .option('--deployment <id>', 'the deployment; the active one by default')
    .option(...storeOption)
    .option(...dryRunOption)
    .option(...yesOption)
    .option(...jsonOption)
    .action((folder: string, options: SyncOptions) =>
      askPlatform(
        { ...options, pluginFolder: folder },
        (connection) => sync(folder, { part, options }, connection),
        (synced) => show(synced, options.dryRun === true),
      ),
    )
}

async function sync(
  folder: string,
  { part, options }: { part: Part; options: SyncOptions },
  connection: Connection,
): Promise<Synced> {
  const { client, target } = connection
  const [{ readAuthorSettings }, { findDeployment }, { syncSettings }, { interruption }] = await Promise.all([
    import('./read-author-settings.ts'),
    import('./find-deployment.ts'),
    import('@tillwright/plugin-publish'),
    import('../terminal/interaction.ts'),
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

type Synced = SyncedSettings & { deploymentId: string }

function show({ deploymentId, updated, conflicts }: Synced, isDryRun: boolean): string {
  const verb = isDryRun ? 'Would change' : 'Changed'
  const kept = isDryRun ? "The merchant's value would be kept" : "The merchant's value was kept"
  const what = updated.length === 0 ? 'Nothing changes' : `${verb}: ${updated.join(', ')}`
  return [`${what} (${deploymentId}).`, ...conflicts.map((pointer) => `${kept}: ${pointer}`), ''].join('\n')
}
