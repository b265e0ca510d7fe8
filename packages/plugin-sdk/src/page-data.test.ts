import { expect, test } from 'vitest'
import { readPageData } from './page-data.ts'
import { openPage } from './page.ts'
import { memoryEnvironment, testData } from './test-page/index.ts'

test('the error for a document that was not served by a platform says what to do', () => {
  expect(() => openPage({ environment: memoryEnvironment() })).toThrow(/tillwright dev/)
})

test('the data of a document are returned unchanged', () => {
  const data = testData({ config: { colour: '</script>' } })
  expect(readPageData(JSON.stringify(data))).toEqual(data)
})
