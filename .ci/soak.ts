import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { matchingTests } from './matching-tests.ts'
import { runTests } from './run-tests.ts'
import { root } from './spawn-program.ts'

/** Measured by the time of answers, so that nothing may run at the same time. */
const ALONE = 'packages/platform/attacks/one-against-all.test.ts'

/** `pnpm soak` runs the longer form of every test that has one: of each test file that reads `soaks.ts` or has rules. */
const longer = /\/\.ci\/soaks\.ts'|\brule(?:Engines|Test)\b/
const files = matchingTests(['']).filter((file) => longer.test(readFileSync(join(root, file), 'utf8')))
process.env['SOAK'] = '1'
const counts = [await runTests([ALONE]), await runTests(files.filter((file) => file !== ALONE))]
process.exitCode = counts.every(({ failed }) => failed === 0) ? 0 : 1
