import { pluginCommand } from '../author/plugin-command.ts'
import { withTarget } from '../target/target-option.ts'
import { answer } from '../terminal/answer.ts'
import type { TestOptions } from './test-options.ts'

const help = `
Each scenario of scenarios.json is seen in a browser: its picture is kept in .tillwright/screenshots, and compared with the one
in screenshots where there is one. Errors in the console, what axe-core finds and differences are problems, and end it with 3.
It takes playwright-core and axe-core, installed beside this, and a Chromium.`

/** `tillwright test`. */
export const testCommand = withTarget(pluginCommand('test'))
  .option('--built', 'build and deploy the plugin, and see what is published; with the budget of its pages')
  .option('--scenario <name...>', 'these alone')
  .option('--publishable-key <key>', "of a development platform: the key of its card form, for 'http://localhost:*'")
  .option('--update', 'keep the pictures in screenshots, for later ones to be compared with')
  .addHelpText('after', help)
  .action(async (folder: string, options: TestOptions) => {
    const { runTests } = await import('./run-tests.ts')
    const { showTested } = await import('./show-tested.ts')
    await answer(options, () => runTests(folder, options), showTested)
  })
