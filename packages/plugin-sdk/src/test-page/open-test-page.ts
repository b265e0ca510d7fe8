import { openPage, type OpenPageOptions, type Page } from '../page/open-page.ts'
import { memorySurroundings, type MemorySurroundings, type MemorySurroundingsOptions } from './memory-surroundings.ts'
import { testData } from './test-data.ts'

/** What a test's page is opened with: what a page is, and what surrounds it. */
export interface TestPageOptions extends Omit<OpenPageOptions, 'surroundings'>, MemorySurroundingsOptions {}

/** A page that is open in no browser. */
export interface TestPage extends Page {
  surroundings: MemorySurroundings
}

/** Opens a page in Node: against a platform that runs, or a `fetch` of the test's own. */
export function openTestPage(options: TestPageOptions = {}): TestPage {
  const surroundings = memorySurroundings(options)
  const { locales, navigate, data = testData() } = options
  const page = openPage({ data, surroundings, ...(locales && { locales }), ...(navigate && { navigate }) })
  return Object.defineProperties({ surroundings } as TestPage, Object.getOwnPropertyDescriptors(page)) // getters stay
}
