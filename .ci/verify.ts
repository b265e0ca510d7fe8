import { randomBytes } from 'node:crypto'
import { chromiumPath } from './chromium.ts'
import { matchingTests, needsOf, runWithout } from './matching-tests.ts'
import { runStep } from './run-step.ts'
import { runTests, type Count } from './run-tests.ts'
import { turnOf, TURNS, waiting } from './turns.ts'

/**
 * The tests, in one go: a browser is there, the packages build, every test whose turn it is. With parts of paths as
 * arguments, only the test files that have one of them, and what these need. The last line is exactly `N passed, N failed`.
 */
const patterns = process.argv.slice(2)
const counts: Count[] =
  patterns.length > 0 ? [await runMatching()] : [await findBrowser(), await build(), await runTurn()]
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

async function build(options: readonly string[] = []): Promise<Count> {
  const command = ['turbo', 'run', 'build', '--output-logs=errors-only', ...options] as const
  const built = await runStep({ name: 'build', command })
  // For a test that would build again while other tests read the built files.
  if (options.length === 0) process.env['BUILT'] = '1'
  return { passed: Number(built), failed: Number(!built) }
}

/**
 * The test files of every run, and a share of the slow ones, drawn by the run's seed unless `TILLWRIGHT_TEST_TURN`
 * names one.
 */
async function runTurn(): Promise<Count> {
  const seed = (process.env['TILLWRIGHT_TEST_SEED'] ??= randomBytes(4).toString('hex'))
  const turn = (process.env['TILLWRIGHT_TEST_TURN'] ??= `${turnOf(seed)}`)
  const left = waiting(turn).length
  if (left > 0)
    console.log(`Turn ${turn} of ${TURNS}: ${left} slow files wait for theirs. TILLWRIGHT_TEST_TURN=all runs all.`)
  return runTests()
}

async function runMatching(): Promise<Count> {
  const files = matchingTests(patterns)
  if (files.length === 0) {
    console.log(`No test file has ${patterns.join(' or ')} in its path.`)
    return { passed: 0, failed: 1 }
  }
  const needs = needsOf(files)
  runWithout(needs)
  const built = (['checkout', 'console'] as const).filter((each) => needs.includes(each))
  if (built.length > 0) {
    const { failed: unbuilt } = await build(built.map((each) => `--filter=@tillwright/${each}`))
    if (unbuilt > 0) return { passed: 0, failed: 1 }
  }
  return runTests(files)
}
