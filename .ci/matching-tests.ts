import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { root } from './spawn-program.ts'

/** The test files whose path contains one of the texts, relative to the repository. */
export function matchingTests(patterns: readonly string[]): string[] {
  const folders = ['packages', 'apps', '.ci', 'operate', 'release']
  const all = globSync(
    folders.map((folder) => `${folder}/**/*.test.ts`),
    { cwd: root, exclude: ['**/node_modules', '**/dist'] },
  )
  return all.filter((file) => patterns.some((pattern) => file.includes(pattern))).toSorted()
}

/** Test set-up that takes seconds. */
const NEEDS = {
  postgres: /inject\('postgres/,
  /** The checkout as it is built for a release, whose files a platform serves. */
  checkout: /'@tillwright\/checkout\/|main\.ts/,
  /** Today's checkout, built for tests in a browser. */
  checkoutBuild: /inject\('checkoutBuild'\)/,
  /** The console's files, which a platform serves. */
  console: /signed-in\.ts|dist\/manifest\.json/,
}
export type TestNeed = keyof typeof NEEDS
const needs: readonly TestNeed[] = ['postgres', 'checkout', 'checkoutBuild', 'console']

/** Finds out what test files need, from what they and the files that they name mention. */
export function needsOf(tests: readonly string[]): TestNeed[] {
  const seen = new Set(tests.map((test) => join(root, test)))
  const found = new Set<TestNeed>()
  for (const file of seen) {
    if (!existsSync(file)) continue // named in the text of a plugin that a test writes
    const text = readFileSync(file, 'utf8')
    for (const need of needs) if (NEEDS[need].test(text)) found.add(need)
    for (const named of filesNamedIn(file, text)) seen.add(named)
  }
  return [...found]
}

function filesNamedIn(file: string, text: string): string[] {
  const relatives = Array.from(text.matchAll(/'(\.[^'\n]+\.ts)'/g), ([, path = '']) => join(dirname(file), path))
  const packages = Array.from(text.matchAll(/'@tillwright\/([^'/]+)/g), ([, name = '']) =>
    join(root, 'packages', name, 'src/index.ts'),
  )
  return [...relatives, ...packages]
}

const WITHOUT = 'TILLWRIGHT_TESTS_WITHOUT'

/** Tells the set-up of the test runs that this process starts what they can do without. */
export function runWithout(needed: readonly TestNeed[]): void {
  process.env[WITHOUT] = needs.filter((need) => !needed.includes(need)).join()
}

/** Whether this test run has to make it. */
export function isNeeded(need: TestNeed): boolean {
  return !(process.env[WITHOUT] ?? '').split(',').includes(need)
}
