import { Option } from 'commander'
import { pluginCommand } from '../author/plugin-command.ts'
import { storeOption } from '../publish/publish-options.ts'
import { withTarget } from '../target/find-target.ts'
import { answer } from '../terminal/output.ts'
import type { PreviewOptions } from './preview.ts'
import type { TestOptions } from './run-tests.ts'

const previewHelp = `
Previews the plugin's active deployment, or the one given. The printed address contains a token: it gives access to the
preview for an hour, and to nothing else. With --screenshots, each preview of the deployment is opened on a phone and a
desktop in turn and its screenshots are stored with the deployment; exits with 3 if one cannot be taken.`

/** `tillwright preview`. */
export const previewCommand = withTarget(pluginCommand('preview'))
  .option(...storeOption)
  .option('--deployment <id>', 'another deployment than the active one: dep_...')
  .addOption(new Option('--scenario <name>', 'start with this scenario from scenarios.json').conflicts('screenshots'))
  .addOption(new Option('--open', 'open the preview in the browser').conflicts('screenshots'))
  .option('--screenshots', 'take the screenshots of all previews of the deployment')
  .addHelpText('after', previewHelp)
  .action(async (folder: string, options: PreviewOptions) => {
    const { screenshots, showScreenshots } = await import('./preview.ts')
    const { openPreview, showPreview } = await import('./preview.ts')
    if (options.screenshots === true) await answer(options, () => screenshots(folder, options), showScreenshots)
    else await answer(options, () => openPreview(folder, options), showPreview)
  })

const testHelp = `
Each scenario in scenarios.json is opened in a browser. Its screenshot is saved in .tillwright/screenshots and compared with
the one in screenshots, if there is one. Console errors, findings of axe-core and differences are problems and exit with
3. Requires playwright-core and axe-core, installed separately, and a Chromium.`

/** `tillwright test`. */
export const testCommand = withTarget(pluginCommand('test'))
  .option('--built', 'build and deploy the plugin, and test the deployed version, including the budget of its pages')
  .option('--scenario <name...>', 'these alone')
  .option(
    '--publishable-key <key>',
    "of a development platform: the key for its card form, with the origin 'http://localhost:*'",
  )
  .option('--update', 'save the screenshots in screenshots, to compare later ones with')
  .addHelpText('after', testHelp)
  .action(async (folder: string, options: TestOptions) => {
    const { runTests } = await import('./run-tests.ts')
    const { showTested } = await import('./run-tests.ts')
    await answer(options, () => runTests(folder, options), showTested)
  })
