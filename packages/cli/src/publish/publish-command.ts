import { Command } from 'commander'
import { withTarget } from '../target/find-target.ts'
import { answer, jsonOption } from '../terminal/output.ts'
import { type PublishOptions, storeOption, withPublishing, withStrategy } from './publish-options.ts'
import type { Scope } from './publish.ts'

const help = `
Shows the plan first: which files are new, changed and unchanged, what changes in manifest, pages and settings, and any
warnings. In production, and if there are warnings, you have to confirm it, or pass --yes.
Merchants' edits are kept: a change on one side is taken over, and where both sides changed, the merchant's value stays.`

/** `tillwright publish`: validates, builds, deploys, syncs settings, activates. */
export const publishCommand = publishing('publish', 'everything')

/** `tillwright deploy`: the same without the settings. */
export const deployCommand = publishing('deploy', 'deployment')

/** `tillwright plan`: shows what `publish` would do. */
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
