import { check } from './check.ts'
import { chromiumPath } from './chromium.ts'
import { runStep } from './run-step.ts'
import { runTests, type Count } from './run-tests.ts'

/**
 * Everything that must hold, in one go: a browser is there, the packages build, every check, every test. The last line
 * is exactly `N passed, N failed`.
 */
const counts: Count[] = [await findBrowser(), await build(), await check(), await runTests()]
const passed = counts.reduce((sum, count) => sum + count.passed, 0)
const failed = counts.reduce((sum, count) => sum + count.failed, 0)
process.exitCode = failed === 0 && passed > 0 ? 0 : 1
console.log(`${passed} passed, ${failed} failed`)

/** Looked for first, so that a missing one is named before the minutes that the tests take. */
async function findBrowser(): Promise<Count> {
  try {
    console.log(`Browser: ${await chromiumPath()}`)
    return { passed: 1, failed: 0 }
  } catch (error) {
    console.log(error instanceof Error ? error.message : error)
    return { passed: 0, failed: 1 }
  }
}

async function build(): Promise<Count> {
  const built = await runStep({ name: 'build', command: ['turbo', 'run', 'build', '--output-logs=errors-only'] })
  process.env['BUILT'] = '1' // for a test that would build again beside tests that read what is built
  return { passed: Number(built), failed: Number(!built) }
}
