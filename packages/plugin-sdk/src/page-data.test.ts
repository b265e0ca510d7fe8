import { expect, test } from 'vitest'
import { readPageData } from './page-data.ts'
import { openPage } from './page.ts'
import { memorySurroundings, testData } from './test-page/index.ts'

test('a document that no platform has served says what to do', () => {
  expect(() => openPage({ surroundings: memorySurroundings() })).toThrow(/tillwright dev/)
})

test('the data of a document are read as they are', () => {
  const data = testData({ config: { colour: '</script>' } })
  expect(readPageData(JSON.stringify(data))).toEqual(data)
})
