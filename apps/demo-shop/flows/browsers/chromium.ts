import type { Frame, Page } from 'playwright-core'
import { sharedChromium } from '../../../../.ci/chromium.ts'
import { settle } from '../buyer.ts'
import type { BrowserDocument, BrowserPage, Engine } from './page.ts'

/** The Chromium of all other tests, behind the same interface. */
export const chromium: Engine = {
  name: 'Chromium',
  missing: null,
  async launch({ dark = false } = {}) {
    const browser = await sharedChromium()
    return {
      async open() {
        const context = await browser.newContext({ colorScheme: dark ? 'dark' : 'light' })
        return pageOf(await context.newPage(), browser.version())
      },
      close: async () => {}, // it is everybody's
    }
  },
}

function pageOf(page: Page, version: string): BrowserPage {
  return {
    ...documentOf(async () => page.mainFrame()),
    version,
    goto: async (url) => void (await page.goto(url)),
    resize: (width, height) => page.setViewportSize({ width, height }),
    type: (text) => page.keyboard.type(text),
    press: (...keys) => page.keyboard.press(keys.join('+')),
    screenshot: () => page.screenshot(),
    close: () => page.context().close(),
  }
}

function documentOf(find: () => Promise<Frame>): BrowserDocument {
  return {
    async evaluate(run, ...given) {
      const script = `(async () => JSON.stringify((await (${String(run)})(...${JSON.stringify(given)})) ?? null))()`
      return JSON.parse(await (await find()).evaluate(script))
    },
    async click(selector) {
      const target = (await find()).locator(selector)
      await settle(target)
      await target.click()
    },
    frame: (selector) =>
      documentOf(async () => {
        const element = await (await find()).$(selector)
        const frame = await element?.contentFrame()
        if (!frame) throw new Error(`There is no ${selector}.`)
        return frame
      }),
  }
}
