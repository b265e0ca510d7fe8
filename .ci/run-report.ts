import { relative } from 'node:path'
import type { Reporter, TestCase, TestModule, TestRunEndReason } from 'vitest/node'
import { root } from './spawn-program.ts'

/** How long a test file took, from the loading of its imports to its last hook. */
export interface FileTime {
  path: string
  ms: number
}

/** How many files are listed, and how many must have run for it. */
const LISTED = 20

/**
 * Says at the end of a run which files took longest, which tests passed at the second try alone and, where something failed,
 * which seed repeats it.
 */
// oxlint-disable-next-line import/no-default-export -- the name under which vitest looks for a reporter
export default class RunReport implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], _errors: unknown, reason: TestRunEndReason): void {
    if (modules.length > LISTED) console.log(slowestFiles(modules.map(timeOf)))
    for (const test of modules.flatMap(flakyTests)) console.log(describeFlaky(test))
    if (reason === 'failed')
      console.log(`TILLWRIGHT_TEST_SEED=${process.env['TILLWRIGHT_TEST_SEED']} repeats this run.`)
  }
}

/** A table of the files that took longest, in seconds, and of all together. */
export function slowestFiles(files: readonly FileTime[]): string {
  const slowest = files.toSorted((a, b) => b.ms - a.ms).slice(0, LISTED)
  const sum = files.reduce((total, { ms }) => total + ms, 0)
  const rows = slowest.map(({ path, ms }) => `${seconds(ms)}  ${path}`)
  return [`The ${rows.length} slowest test files, in seconds`, ...rows, `${seconds(sum)}  all ${files.length}`].join(
    '\n',
  )
}

function flakyTests(module: TestModule): TestCase[] {
  return [...module.children.allTests('passed')].filter((test) => test.diagnostic()?.flaky)
}

/** Names a test that did not pass at its first try, with what it said then. */
function describeFlaky(test: TestCase): string {
  const [first] = test.result().errors ?? []
  return `FLAKY  ${pathOf(test.module)} > ${test.fullName}: ${first?.message ?? 'without a message'}`
}

function seconds(ms: number): string {
  return (ms / 1_000).toFixed(1).padStart(7)
}

function timeOf(module: TestModule): FileTime {
  const { prepareDuration, setupDuration, collectDuration, duration } = module.diagnostic()
  const ms = prepareDuration + setupDuration + collectDuration + duration
  return { path: pathOf(module), ms }
}

function pathOf(module: TestModule): string {
  return relative(root, module.moduleId).replaceAll('\\', '/')
}
