import { Command } from 'commander'
import { withTarget } from '../target/find-target.ts'
import { answer, jsonOption } from '../terminal/output.ts'
import {
  type PublishOptions,
  storeOption,
  variantOption,
  withPublishing,
  withStrategy,
  withVersioning,
} from './publish-options.ts'
import type { Scope } from './publish.ts'

const help = `
Shows the plan first: which files are new, changed and unchanged, what changes in manifest, pages and settings, and any
warnings. In production, and if there are warnings, you have to confirm it, or pass --yes.
The version is that of plugin.manifest.json. If it is deployed with different content, this becomes its next build, such as
1.4.0+2; raise the version for a release of its own.
What the page sells is a setting whose schema has the format "variant". If it is empty, publishing asks; without a terminal
it takes the store's only product, or its oldest one outside production.
Merchants' edits are kept: a change on one side is taken over, and where both sides changed, the merchant's value stays.`

/** `tillwright publish`: validates, builds, deploys, syncs settings, activates. */
export const publishCommand = publishing('publish', 'everything').option(...variantOption)

/** `tillwright deploy`: the same without the settings. */
export const deployCommand = publishing('deploy', 'deployment')

/** `tillwright plan`: shows what `publish` would do. */
export const planCommand = withVersioning(withStrategy(withTarget(new Command('plan'))))
  .argument('[folder]', "the plugin's folder", '.')
  .option(...storeOption)
  .option(...variantOption)
  .option(...jsonOption)
  .action(async (folder: string, options: PublishOptions) => {
    const { publish, showOutcome } = await import('./publish.ts')
    await answer(
      options,
      () => publish(folder, { ...options, pluginFolder: folder, activate: true, dryRun: true }, 'everything'),
      showOutcome,
    )
  })

function publishing(name: string, scope: Scope): Command {
  return withPublishing(new Command(name))
    .addHelpText('after', help)
    .action(async (folder: string, options: PublishOptions) => {
      const { publish, showOutcome } = await import('./publish.ts')
      const { readyPlatform } = await import('./ready-platform.ts')
      let stop: (() => Promise<void>) | null = null
      const work = async () => {
        const platform = await readyPlatform({ ...options, pluginFolder: folder })
        stop = platform.stop
        return publish(folder, { ...options, ...platform }, scope)
      }
      await answer(options, work, showOutcome)
      if (stop !== null) await keepRunning(stop)
    })
}

/** The platform that a command has started has its pages: they are there until Ctrl-C. */
async function keepRunning(stop: () => Promise<void>): Promise<void> {
  const isFailed = process.exitCode !== undefined && process.exitCode !== 0
  if (!isFailed) {
    process.stderr.write('The platform runs until Ctrl-C.\n')
    await new Promise<void>((resolve) => {
      for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => resolve())
    })
  }
  await stop()
}
