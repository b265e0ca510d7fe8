import { expect, test } from 'vitest'
import type { FileOutcome } from './run-report.ts'
import { countTests, inPlaceOfBroken, type Run } from './run-tests.ts'

const sound: FileOutcome = { path: 'a.test.ts', passed: 3, failed: 0, notRun: 0, isBroken: false }
const broken: FileOutcome = { path: 'b.test.ts', passed: 1, failed: 0, notRun: 2, isBroken: true }

function run(files: readonly FileOutcome[], { succeeded = false, errors = 0 } = {}): Run {
  return { outcome: { files, errors }, succeeded }
}

test('tests that passed and failed are counted as vitest does', () => {
  expect(countTests(run([sound], { succeeded: true }))).toEqual({ passed: 3, failed: 0 })
  expect(countTests(run([sound, { ...sound, failed: 2 }]))).toEqual({ passed: 6, failed: 2 })
})

test('a file that could not be loaded, or whose hook failed, is a failure, and so is an error of no file', () => {
  expect(countTests(run([sound, { ...broken, passed: 0, notRun: 0 }]))).toEqual({ passed: 3, failed: 1 })
  expect(countTests(run([sound, broken]))).toEqual({ passed: 4, failed: 1 })
  expect(countTests(run([sound], { errors: 1 }))).toEqual({ passed: 3, failed: 1 })
})

test('a run that ends badly although every test passed is a failure', () => {
  expect(countTests(run([sound]))).toEqual({ passed: 3, failed: 1 })
})

test('a run that crashed before its report, or ran nothing, is a failure', () => {
  expect(countTests({ outcome: null, succeeded: false })).toEqual({ passed: 0, failed: 1 })
  expect(countTests(run([], { succeeded: true }))).toEqual({ passed: 0, failed: 1 })
})

test('what a second run says of broken files counts in place of what the first said, and nothing else of it', () => {
  const mended = run([{ ...broken, passed: 3, notRun: 0, isBroken: false }], { succeeded: true })
  expect(countTests(inPlaceOfBroken(run([sound, broken]), mended))).toEqual({ passed: 6, failed: 0 })
  expect(countTests(inPlaceOfBroken(run([sound, broken]), run([broken])))).toEqual({ passed: 4, failed: 1 })
  expect(countTests(inPlaceOfBroken(run([{ ...sound, failed: 1 }, broken]), mended))).toEqual({ passed: 6, failed: 1 })
  expect(countTests(inPlaceOfBroken(run([sound, broken], { errors: 1 }), mended))).toEqual({ passed: 6, failed: 1 })
})
