import { Command } from 'commander'
import { withTarget } from '../target/find-target.ts'
import { answer, jsonOption } from '../terminal/output.ts'
import { type PublishOptions, storeOption, withPublishing, withStrategy } from './publish-options.ts'
import type { Scope } from './publish.ts'

const help = `
The plan comes first: which files are new, changed and the same, what changes in manifest, pages and settings, and what
to think about. In production, and where there is something to think about, somebody has to say yes, or --yes.
Merchants' edits are kept: what only one side has changed is taken over, and where both have, the merchant's stays.`

/** `tillwright publish`: validate, build, deploy, bring settings up to date, activate. */
export const publishCommand = publishing('publish', 'everything')

/** `tillwright deploy`: the same without the settings. */
export const deployCommand = publishing('deploy', 'deployment')

/** `tillwright plan`: what `publish` would do. */
export const planCommand = withStrategy(withTarget(new Command('plan')))
  .argument('[folder]', "the plugin's folder", '.')
  .option(...storeOption)
  .option(...jsonOption)
  .action(async (folder: string, options: PublishOptions) => {
    const { publish, showOutcome } = await import('./publish.ts')
    await answer(
      options,
      () => publish(folder, { ...options, activate: true, dryRun: true }, 'everything'),
      showOutcome,
    )
  })

function publishing(name: string, scope: Scope): Command {
  return withPublishing(new Command(name))
    .addHelpText('after', help)
    .action(async (folder: string, options: PublishOptions) => {
      const { publish, showOutcome } = await import('./publish.ts')
      await answer(options, () => publish(folder, options, scope), showOutcome)
    })
}
