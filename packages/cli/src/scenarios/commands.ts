import type { PreviewOptions, TestOptions } from './scenarios.ts'
import { Option } from 'commander'
import { pluginCommand } from '../author/plugin-command.ts'
import { storeOption } from '../publish/publish-options.ts'
import { withTarget } from '../target/find-target.ts'
import { answer } from '../terminal/output.ts'

const previewHelp = `
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
  .addHelpText('after', previewHelp)
  .action(async (folder: string, options: PreviewOptions) => {
    const { screenshots, showScreenshots } = await import('./preview.ts')
    const { openPreview, showPreview } = await import('./preview.ts')
    if (options.screenshots === true) await answer(options, () => screenshots(folder, options), showScreenshots)
    else await answer(options, () => openPreview(folder, options), showPreview)
  })

const testHelp = `
Each scenario of scenarios.json is seen in a browser: its picture is kept in .tillwright/screenshots, and compared with the one
in screenshots where there is one. Errors in the console, what axe-core finds and differences are problems, and end it with 3.
It takes playwright-core and axe-core, installed beside this, and a Chromium.`

/** `tillwright test`. */
export const testCommand = withTarget(pluginCommand('test'))
  .option('--built', 'build and deploy the plugin, and see what is published; with the budget of its pages')
  .option('--scenario <name...>', 'these alone')
  .option('--publishable-key <key>', "of a development platform: the key of its card form, for 'http://localhost:*'")
  .option('--update', 'keep the pictures in screenshots, for later ones to be compared with')
  .addHelpText('after', testHelp)
  .action(async (folder: string, options: TestOptions) => {
    const { runTests } = await import('./run-tests.ts')
    const { showTested } = await import('./run-tests.ts')
    await answer(options, () => runTests(folder, options), showTested)
  })
