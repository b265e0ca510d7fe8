import { Option } from 'commander'
import { pluginCommand } from '../author/plugin-command.ts'
import { withTarget } from '../target/target-option.ts'
import { storeOption } from '../publish/publish-options.ts'
import { answer } from '../terminal/answer.ts'
import type { PreviewOptions } from './preview-options.ts'

const help = `
It is about the active deployment of the plugin, unless another one is named. The address that is printed holds a token: it opens
the preview for an hour, and nothing else. With --screenshots each preview of the deployment is opened on a phone and on a desktop
in turn, and its pictures are kept with the deployment; it ends with 3 when one cannot be taken.`

/** `tillwright preview`. */
export const previewCommand = withTarget(pluginCommand('preview'))
  .option(...storeOption)
  .option('--deployment <id>', 'another deployment than the active one: dep_...')
  .addOption(new Option('--scenario <name>', 'begin with this scenario of scenarios.json').conflicts('screenshots'))
  .addOption(new Option('--open', 'open the preview in the browser').conflicts('screenshots'))
  .option('--screenshots', 'take the pictures of all previews of the deployment')
  .addHelpText('after', help)
  .action(async (folder: string, options: PreviewOptions) => {
    const { screenshots, showScreenshots } = await import('./take-screenshots.ts')
    const { openPreview, showPreview } = await import('./open-preview.ts')
    if (options.screenshots === true) await answer(options, () => screenshots(folder, options), showScreenshots)
    else await answer(options, () => openPreview(folder, options), showPreview)
  })
