import type { JsonChange } from '@tillwright/plugin-publish'
import { Command } from 'commander'
import { storeOption } from '../publish/publish-options.ts'
import { askPlatform } from '../target/ask-platform.ts'
import type { Connection } from '../target/connect.ts'
import type { TargetOptions } from '../target/find-target.ts'
import { withTarget } from '../target/target-option.ts'
import { jsonOption, type OutputOptions } from '../terminal/answer.ts'
import type { DeploymentOptions } from './find-deployment.ts'

type DiffOptions = OutputOptions & TargetOptions & DeploymentOptions

/** `tillwright diff`: how the settings in the folder differ from those that are live. */
export const diffCommand = withTarget(new Command('diff'))
  .argument('[folder]', "the plugin's folder", '.')
  .option('--deployment <id>', 'whose settings; the active one unless named')
  .option(...storeOption)
  .option(...jsonOption)
  .action((folder: string, options: DiffOptions) =>
    askPlatform(options, (connection) => diff(folder, options, connection), show),
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

function show(changes: readonly JsonChange[]): string {
  if (changes.length === 0) return 'The settings here and the live ones are the same.\n'
  const shown = (value: unknown) => (value === undefined ? 'nothing' : JSON.stringify(value))
  return changes
    .map(({ pointer, before, after }) => `${pointer}: live ${shown(before)}, here ${shown(after)}\n`)
    .join('')
}
