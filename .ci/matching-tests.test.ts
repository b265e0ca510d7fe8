import { expect, test } from 'vitest'
import { matchingTests, needsOf } from './matching-tests.ts'

test('a part of a path names the test files of all projects that have it', () => {
  expect(matchingTests(['matching-tests'])).toEqual(['.ci/matching-tests.test.ts'])
  expect(matchingTests(['checkout/test/load', 'flows/pan-nowhere'])).toEqual([
    'apps/demo-shop/flows/pan-nowhere.test.ts',
    'packages/checkout/test/load.browser.test.ts',
  ])
  expect(matchingTests(['operate/image/image'])).toEqual(['operate/image/image.test.ts'])
  expect(matchingTests(['no such test'])).toEqual([])
})

test.each([
  ['packages/contract/src/paths.test.ts', []],
  ['packages/platform/src/runtime/ids.test.ts', []],
  ['packages/checkout/test/load.browser.test.ts', ['checkoutBuild']],
  ['packages/platform/src/payments/payments.test.ts', ['checkout', 'postgres']],
  ['apps/demo-shop/flows/pan-nowhere.test.ts', ['checkout', 'postgres']],
])('%s needs %j', (file, needed) => {
  expect(needsOf([file]).toSorted()).toEqual(needed)
})
