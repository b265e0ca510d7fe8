import type { Page } from 'playwright-core'
import { expect, onTestFinished } from 'vitest'
import type { ThreedsCase } from './threeds-case.ts'

/** Message of the vault's notification page once the bank has sent the browser back. */
const notice = { tillwright: 'threeds', step: 'challenge', id: 'forged' }

/** Cases in which a page forges a message. */
export const somebodyForges: readonly ThreedsCase[] = [
  {
    when: 'the bank’s own page forges the notice of its end',
    isSoaked: true, // the attacks on the checkout forge both notices, too
    andThen: async ({ bankAsks, bankFrame, typeCode }) => {
      await bankAsks()
      await bankFrame().evaluate(`parent.postMessage(${JSON.stringify(notice)}, '*')`)
      await typeCode('1234')
    },
    outcome: 'authenticated',
  },
  {
    when: 'the shop’s page forges the notice of the bank’s end',
    isSoaked: true,
    andThen: async ({ page, bankAsks, typeCode }) => {
      await bankAsks()
      const frame = "document.querySelector('dialog iframe').contentWindow"
      await page.evaluate(`${frame}.postMessage(${JSON.stringify(notice)}, '*')`)
      await page.evaluate(`${frame}[0].postMessage(${JSON.stringify(notice)}, '*')`)
      await typeCode('1234')
    },
    outcome: 'authenticated',
  },
  ...(
    [
      ['is a script', 'script'],
      ['is a document', 'document'],
      ['is without HTTPS', 'plain'],
      ['has 2,049 characters', 'long'],
    ] as const
  ).map(([what, acsUrl]): ThreedsCase => ({
    when: `the address of the bank’s challenge ${what}`,
    arranged: { faults: { acsUrl } },
    ...(acsUrl !== 'script' && { isSoaked: true }),
    outcome: 'unavailable',
    isUnasked: true,
  })),
  {
    when: 'the bank’s answer cannot be read',
    arranged: { faults: { ares: 'malformed' } },
    isSoaked: true,
    outcome: 'unavailable',
    isUnasked: true,
  },
  {
    when: 'the bank does not answer for half a minute',
    isSoaked: true,
    arranged: { faults: { ares: 'timeout' } },
    andThen: ({ timePasses }) => timePasses(),
    outcome: 'unavailable',
    isUnasked: true,
  },
]

const twoTabs: ThreedsCase = {
  when: 'two tabs show the challenge',
  andThen: async ({ page, authenticate, bankAsks, typeCode, timePasses, end }) => {
    const other = await anotherTab(page)
    await authenticate({}, other)
    await bankAsks(other)
    await page.bringToFront()
    await typeCode('1234')
    await timePasses() // a result that meets another request is sent again, by the platform's clock
    expect(await end(other)).toEqual(await end())
  },
  outcome: 'authenticated',
}

const givenUpInOneOfTwo: ThreedsCase = {
  when: 'the buyer gives up in one of two tabs',
  andThen: async ({ page, authenticate, bankAsks, end }) => {
    const other = await anotherTab(page)
    await authenticate({}, other)
    await bankAsks(other)
    await other.keyboard.press('Escape')
    expect(await end(other)).toEqual(await end())
  },
  outcome: 'cancelled',
}

/** The page is left, loaded anew, or open twice. */
export const pageComesAndGoes: readonly ThreedsCase[] = [
  {
    when: 'the page is loaded anew, for a window of another size',
    andThen: async ({ page, frame, authenticate, bankAsks, typeCode }) => {
      await bankAsks()
      const size = await frame.locator('dialog iframe').boundingBox()
      await page.reload()
      await authenticate({ windowSize: '02' })
      await bankAsks()
      expect(await frame.locator('dialog iframe').boundingBox()).toEqual(size)
      await typeCode('1234')
    },
    outcome: 'authenticated',
  },
  twoTabs,
  givenUpInOneOfTwo,
  {
    when: 'the buyer leaves the page for another, and comes back by the history',
    andThen: async ({ page, authenticate, bankAsks, typeCode }) => {
      await bankAsks()
      await page.goto(`${page.url()}?help`)
      await page.goBack()
      if (!(await page.evaluate("'authentication' in window"))) await authenticate()
      await typeCode('1234')
    },
    outcome: 'authenticated',
  },
]

/** The ways on which two requests meet in the database. */
export const threedsRaces: readonly ThreedsCase[] = [twoTabs, givenUpInOneOfTwo]

async function anotherTab(page: Page): Promise<Page> {
  const other = await page.context().newPage()
  onTestFinished(() => other.close())
  await other.goto(page.url())
  return other
}
