import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Outcome } from './run-report.ts'
import { spawnProgram } from './spawn-program.ts'

/** How many of something held and how many did not. */
export interface Count {
  passed: number
  failed: number
}

/** A run of vitest. */
export interface Run {
  /** `null` when it crashed before its end. */
  outcome: Outcome | null
  /** Whether vitest itself ended well. */
  succeeded: boolean
}

/**
 * Runs test files, those of all projects unless some are named; they print as they go. In CI a file of which no test failed,
 * but a hook or an import, is run once more, in new processes, when all others are done (decision 231).
 */
export async function runTests(files: readonly string[] = []): Promise<Count> {
  const first = await runVitest(files)
  const broken = process.env['CI'] === 'true' ? brokenFiles(first) : []
  if (broken.length === 0) return countTests(first)
  console.log(`Once more, since something around their tests failed: ${broken.join(', ')}`)
  const second = await runVitest(broken)
  for (const { path, failed, isBroken } of second.outcome?.files ?? []) {
    if (failed > 0 || isBroken) continue
    console.log(`FLAKY  ${path}: a hook or an import failed at the first try, as is told above.`)
  }
  return countTests(inPlaceOfBroken(first, second))
}

async function runVitest(files: readonly string[]): Promise<Run> {
  const folder = await mkdtemp(join(tmpdir(), 'tillwright-tests-'))
  const file = join(folder, 'outcome.json')
  process.env['TILLWRIGHT_TEST_OUTCOME'] = file
  try {
    const child = spawnProgram(['vitest', 'run', ...files], 'inherit')
    const exitCode = await new Promise((resolve) => child.on('close', resolve).on('error', () => resolve(null)))
    const outcome = JSON.parse(await readFile(file, 'utf8').catch(() => 'null')) as Outcome | null // by our own reporter
    return { outcome, succeeded: exitCode === 0 }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

function brokenFiles({ outcome }: Run): string[] {
  return (outcome?.files ?? []).filter(({ isBroken }) => isBroken).map(({ path }) => path)
}

/** The first run, with what the second says of its broken files. */
export function inPlaceOfBroken(first: Run, second: Run): Run {
  if (first.outcome === null || second.outcome === null) return { outcome: null, succeeded: false }
  const files = [...first.outcome.files.filter(({ isBroken }) => !isBroken), ...second.outcome.files]
  return { outcome: { files, errors: first.outcome.errors + second.outcome.errors }, succeeded: second.succeeded }
}

/** Counts tests. A broken file is one more that failed, and so is an error outside of all files. */
export function countTests({ outcome, succeeded }: Run): Count {
  if (outcome === null) return { passed: 0, failed: 1 }
  const sum = (count: (file: Outcome['files'][number]) => number) =>
    outcome.files.reduce((total, file) => total + count(file), 0)
  const passed = sum((file) => file.passed)
  const failed = sum((file) => file.failed + Number(file.isBroken)) + outcome.errors
  const notRun = sum((file) => file.notRun)
  if (notRun > 0) console.log(`${notRun} tests did not run here.`)
  const isUnexplained = failed === 0 && (!succeeded || passed === 0)
  return { passed, failed: isUnexplained ? 1 : failed }
}
