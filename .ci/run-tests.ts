import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { spawnProgram } from './spawn-program.ts'

/** How many of something held and how many did not. */
export interface Count {
  passed: number
  failed: number
}

/** The part of vitest's JSON report that is counted here. */
interface Report {
  numPassedTests: number
  numFailedTests: number
  numPendingTests: number
  testResults: readonly { status: string; assertionResults: readonly unknown[] }[]
}

/**
 * Runs test files, those of all projects unless some are named; they print as they go. A file that cannot even be loaded
 * counts as one failed test.
 */
export async function runTests(files: readonly string[] = []): Promise<Count> {
  const folder = await mkdtemp(join(tmpdir(), 'tillwright-tests-'))
  const file = join(folder, 'report.json')
  try {
    const reporters = [
      '--reporter=default',
      '--reporter=./.ci/run-report.ts',
      '--reporter=json',
      `--outputFile.json=${file}`,
    ]
    const child = spawnProgram(['vitest', 'run', ...reporters, ...files], 'inherit')
    const exitCode = await new Promise((resolve) => child.on('close', resolve).on('error', () => resolve(null)))
    // Written by the vitest whose version this repository pins; without it the run has crashed.
    const report = JSON.parse(await readFile(file, 'utf8').catch(() => 'null')) as Report | null
    return countTests(report, exitCode === 0)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** @param succeeded Whether vitest itself ended well: an error outside of all tests is one more that failed. */
export function countTests(report: Report | null, succeeded: boolean): Count {
  if (report === null) return { passed: 0, failed: 1 }
  const unloaded = report.testResults.filter((file) => file.status === 'failed' && file.assertionResults.length === 0)
  const failed = report.numFailedTests + unloaded.length
  const passed = report.numPassedTests
  const broken = failed === 0 && (!succeeded || passed === 0)
  if (report.numPendingTests > 0) console.log(`${report.numPendingTests} tests did not run here.`)
  return { passed, failed: broken ? 1 : failed }
}
