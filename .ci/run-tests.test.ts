import { expect, test } from 'vitest'
import { countTests } from './run-tests.ts'

const loaded = { status: 'passed', assertionResults: [{}] }
const report = { numPassedTests: 3, numFailedTests: 0, numPendingTests: 0, testResults: [loaded] }

test('tests that passed and failed are counted as vitest does', () => {
  expect(countTests(report, true)).toEqual({ passed: 3, failed: 0 })
  expect(countTests({ ...report, numFailedTests: 2 }, false)).toEqual({ passed: 3, failed: 2 })
})

test('a file that could not be loaded is a failure', () => {
  const testResults = [loaded, { status: 'failed', assertionResults: [] }]
  expect(countTests({ ...report, testResults }, false)).toEqual({ passed: 3, failed: 1 })
})

test('a run that ends badly although every test passed is a failure', () => {
  expect(countTests(report, false)).toEqual({ passed: 3, failed: 1 })
})

test('a run that crashed before its report, or ran nothing, is a failure', () => {
  expect(countTests(null, false)).toEqual({ passed: 0, failed: 1 })
  expect(countTests({ ...report, numPassedTests: 0, testResults: [] }, true)).toEqual({ passed: 0, failed: 1 })
})
