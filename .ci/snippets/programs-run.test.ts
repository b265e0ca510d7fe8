import { expect, test } from 'vitest'
import { manualClock } from '../../packages/platform/src/runtime/clock.ts'
import { sharedPlatform } from '../../packages/platform/test/test-platform.ts'
import { browserPages, isOfBrowser } from './browser-pages.ts'
import { quickstarts } from './quickstarts.ts'
import { type PageSnippet, readSnippets } from './read-snippets.ts'
import { readmePrograms } from './readme-programs.ts'
import { fenceOf } from '../../apps/docs/src/fences.ts'
import { runPage } from './run-pages.ts'
import { type Load, runSnippet } from './run-snippet.ts'
import { serverPages } from './server-pages.ts'
import { shopServer } from './shop-server.ts'

/** Of today, since cards and signatures are of a time. */
const platform = sharedPlatform({ clock: manualClock(Date.now()) })
const snippets = readSnippets()
const readers = { ...serverPages, ...readmePrograms }

/** The snippets of a page that are run here. */
function ownSnippets(page: string): readonly PageSnippet[] {
  return snippets.filter((each) => each.page === page && isProgram(each) && !isOfBrowser(each))
}

/** TypeScript or JavaScript without a file's name, which no test of its own runs. */
function isProgram({ language, title, notRun, runBy }: PageSnippet): boolean {
  return ['ts', 'js'].includes(language) && title === null && notRun === null && runBy === null
}

test.for(Object.entries(readers))('the programs of %s do what they say', async ([page, reader]) => {
  const own = ownSnippets(page)
  expect(own).not.toEqual([])
  await runPage(own, reader, { platform: platform(), having: await shopServer(platform()), load })
})

/** The packages as they are here. */
const packages: Readonly<Record<string, () => Promise<object>>> = {
  'node:fs/promises': () => import('node:fs/promises'),
  'node:path': () => import('node:path'),
  '@tillwright/bank-simulator': () => import('../../packages/bank-simulator/src/index.ts'),
  '@tillwright/client': () => import('../../packages/client/src/index.ts'),
  '@tillwright/contract': () => import('../../packages/contract/src/index.ts'),
  '@tillwright/design-tokens': () => import('../../packages/design-tokens/src/index.ts'),
  '@tillwright/platform': () => import('../../packages/platform/src/index.ts'),
  '@tillwright/plugin-build': () => import('../../packages/plugin-build/src/index.ts'),
  '@tillwright/plugin-dev': () => import('../../packages/plugin-dev/src/index.ts'),
  '@tillwright/plugin-publish': () => import('../../packages/plugin-publish/src/index.ts'),
  '@tillwright/plugin-sdk/testing': () => import('../../packages/plugin-sdk/src/test-page/index.ts'),
}

const load: Load = async (specifier) => {
  const found = packages[specifier]
  if (found === undefined) throw new Error(`No snippet imports ${specifier} so far: add it to the packages here.`)
  return found()
}

test('a program that fails is told with its place, and what one declares is there for the next', async () => {
  const planted = { ...fenceOf('ts'), page: 'planted', place: 'planted:7', line: 7 }
  const declares = {
    ...planted,
    code: "import { join } from 'node:path'\nexport const [{ a, ...b }] = [{ a: join('x'), c: 1 }]\n",
  }
  expect(await runSnippet(declares, {}, load)).toEqual({ a: 'x', b: { c: 1 } })
  const wrong = { ...planted, code: 'const id: string = paymentId.toUpperCase()\n' }
  const reading = runPage([wrong], {}, { platform: platform(), having: { paymentId: 7 }, load })
  await expect(reading).rejects.toThrow('planted:7 TypeError: paymentId.toUpperCase is not a function')
})

/** Languages of programs. */
const LANGUAGES = ['ts', 'js', 'tsx', 'html', 'vue', 'svelte']

test('each program of the documentation is run: here, in a browser, as a quickstart, or by a test that it names', () => {
  const projects: readonly string[] = Object.values(quickstarts).map(({ page }) => page)
  const left = snippets.filter((each) => {
    const { language, page, title, notRun, runBy } = each
    if (!LANGUAGES.includes(language) || notRun !== null || runBy !== null) return false
    return !isOfBrowser(each) && !(title !== null && projects.includes(page)) && !(page in readers && isProgram(each))
  })
  expect(left.map(({ place }) => place)).toEqual([])
  expect(Object.keys(browserPages).filter((page) => !snippets.some((each) => each.page === page))).toEqual([])
})
