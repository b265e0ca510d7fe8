import { writeFileSync } from 'node:fs'
import { relative } from 'node:path'
import type { Reporter, TestCase, TestModule, TestRunEndReason } from 'vitest/node'
import { root } from './spawn-program.ts'

/** How long a test file took, from the loading of its imports to its last hook. */
export interface FileTime {
  path: string
  ms: number
}

/** What came of a run, as `runTests` counts it. */
export interface Outcome {
  files: readonly FileOutcome[]
  /** How many errors nothing caught that belong to no file. */
  errors: number
}

/** How many tests of a file passed, failed, and did not run. */
export interface FileOutcome {
  path: string
  passed: number
  failed: number
  notRun: number
  /** No test of it failed, but what is around them: an import, or a hook. */
  isBroken: boolean
}

/** How many files are listed, and how many must have run for it. */
const LISTED = 20

/**
 * Says at the end of a run which files took longest, which tests passed at the second try alone and, where something failed,
 * which seed repeats it. Writes the {@link Outcome} to the file that `TILLWRIGHT_TEST_OUTCOME` names.
 */
// oxlint-disable-next-line import/no-default-export -- the name under which vitest looks for a reporter
export default class RunReport implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], errors: readonly unknown[], reason: TestRunEndReason): void {
    const outcome: Outcome = { files: modules.map(outcomeOf), errors: errors.length }
    const { TILLWRIGHT_TEST_OUTCOME: file } = process.env
    if (file !== undefined) writeFileSync(file, JSON.stringify(outcome))
    if (modules.length > LISTED) console.log(slowestFiles(modules.map(timeOf)))
    for (const test of modules.flatMap(flakyTests)) console.log(describeFlaky(test))
    if (reason === 'failed')
      console.log(`TILLWRIGHT_TEST_SEED=${process.env['TILLWRIGHT_TEST_SEED']} repeats this run.`)
  }
}

function outcomeOf(module: TestModule): FileOutcome {
  const tests = [...module.children.allTests()].map((test) => test.result().state)
  const passed = tests.filter((state) => state === 'passed').length
  const failed = tests.filter((state) => state === 'failed').length
  const isBroken = module.state() === 'failed' && failed === 0
  return { path: pathOf(module), passed, failed, notRun: tests.length - passed - failed, isBroken }
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
