import { randomBytes } from 'node:crypto'
import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
import { compileCache } from './.ci/compile-cache.ts'
import { LongestFirst } from './.ci/longest-first.ts'
import { testFolder } from './.ci/test-folder.ts'
import { waiting } from './.ci/turns.ts'

/** Excludes generated files, and tests whose turn is in another run. */
const exclude = ['**/node_modules/**', '**/dist/**', ...waiting(process.env['TILLWRIGHT_TEST_TURN'])]

/** Every platform, process and property of the tests draws from it. A run that fails prints it. */
process.env['TILLWRIGHT_TEST_SEED'] ??= randomBytes(4).toString('hex')

/** A bound for what never comes, not for what comes late: other programs may have the machine for seconds. */
const patient = { timeout: 60_000 }

const onDisk = { NODE_COMPILE_CACHE: compileCache }
/** Not for `faults`, which prove what is on disk. */
const inMemory = { ...onDisk, TMPDIR: testFolder }

/** More than there are processors: browsers, servers and databases make a test wait. Still more only wait for each other. */
const maxWorkers = availableParallelism() + 2

/** In CI a test that fails is run once more, and the report names it where it passes then (decision 231). */
const retry = process.env['CI'] === 'true' ? 1 : 0

/** Of all projects. */
const common = {
  isolate: false, // files of a worker share its modules and its browser instead of loading them again
  maxWorkers,
  // Tests leave much behind: collecting it less often takes 7 % less of a processor.
  execArgv: ['--max-semi-space-size=32'],
  retry,
  expect: { poll: patient },
}
/** Of those that start whole platforms and browsers. */
const slow = { ...common, exclude, testTimeout: 240_000, hookTimeout: 240_000, sequence: { groupOrder: 1 } }

/**
 * `unit`: rules, parts and both storage engines, in seconds. `browser`: parts of the checkout in a real Chromium.
 * `flows`: the whole product, from a page to a webhook. `faults`: kill -9, full disks, lost connections.
 */
export default defineConfig({
  test: {
    // Here rather than in the projects, so that one server serves them all.
    globalSetup: ['.ci/test-folder.ts', '.ci/postgres-setup.ts'],
    reporters: ['default', './.ci/run-report.ts'],
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        test: {
          ...common,
          name: 'unit',
          setupFiles: ['.ci/test-setup.ts'],
          env: inMemory,
          include: [
            'packages/*/{src,test}/**/*.test.ts',
            'packages/platform/attacks/*.test.ts',
            'packages/platform/simulation/**/*.test.ts',
            'apps/*/{src,test,tests}/**/*.test.ts',
            '.ci/**/*.test.ts',
            'operate/**/*.test.ts',
            'release/**/*.test.ts',
          ],
          exclude: [...exclude, '**/*.browser.test.ts'],
          maxConcurrency: 12, // of `test.concurrent`, which is for tests that wait
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
      {
        test: {
          ...slow,
          name: 'browser',
          setupFiles: ['.ci/test-setup.ts', '.ci/show-pages.ts'],
          env: inMemory,
          include: ['packages/**/*.browser.test.ts', 'apps/**/*.browser.test.ts'],
          globalSetup: ['packages/checkout/test/build-once.ts', 'apps/console/test/build-once.ts'],
        },
      },
      {
        test: {
          ...slow,
          name: 'flows',
          setupFiles: ['.ci/test-setup.ts', '.ci/show-pages.ts'],
          env: inMemory,
          include: ['apps/*/flows/**/*.test.ts'],
        },
      },
      {
        test: {
          ...slow,
          name: 'faults',
          setupFiles: ['.ci/test-setup.ts'],
          env: onDisk,
          include: ['packages/platform/faults/**/*.test.ts', 'packages/plugin-dev/soak/**/*.test.ts'],
          globalSetup: 'packages/platform/faults/bundle-once.ts',
        },
      },
    ],
  },
})
