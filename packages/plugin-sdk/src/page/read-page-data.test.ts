import { expect, test } from 'vitest'
import { memorySurroundings, testData } from '../test-page/index.ts'
import { openPage } from './open-page.ts'
import { readPageData } from './read-page-data.ts'

test('a document that no platform has served says what to do', () => {
  expect(() => openPage({ surroundings: memorySurroundings() })).toThrow(/tillwright dev/)
})

test('the data of a document are read as they are', () => {
  const data = testData({ config: { colour: '</script>' } })
  expect(readPageData(JSON.stringify(data))).toEqual(data)
})
