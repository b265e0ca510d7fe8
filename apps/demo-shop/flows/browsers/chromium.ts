import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { chromium as playwright, type Frame, type Page } from 'playwright-core'
import { chromiumPath, sharedChromium, wholeChromium } from '../../../../.ci/chromium.ts'
import { settle } from '../buyer.ts'
import type { BrowserDocument, BrowserPage, Engine, Protection, RunningBrowser } from './page.ts'
import { makeProfile } from './program.ts'

const NO_MODE = 'has no such mode'
const NO_PROFILES = 'apt-get install chromium: a headless shell has no settings'

/** The Chromium of all other tests, behind the same interface. */
export const chromium: Engine = {
  name: 'Chromium',
  missing: null,
  lacks: {
    strict: NO_MODE,
    ...(wholeChromium() === undefined && {
      default: NO_PROFILES,
      private: NO_PROFILES,
      'no third parties': NO_PROFILES,
      strictest: NO_PROFILES,
    }),
  },
  async launch({ dark = false, protection } = {}) {
    if (protection !== undefined) return launchProfiles(protection)
    const browser = await sharedChromium()
    return {
      async open() {
        const context = await browser.newContext({ colorScheme: dark ? 'dark' : 'light' })
        return { ...pageOf(await context.newPage()), close: () => context.close() }
      },
      close: async () => {}, // it is everybody's
    }
  },
}

/** Values of `profile.cookie_controls_mode`. The second is Chrome's own default. */
const COOKIES_OF_OTHER_SITES = { refused: 1, refusedInPrivateWindows: 2 }

/** A browser with a profile for each page, as people have it. */
function launchProfiles(protection: Protection): RunningBrowser {
  const pages = new Set<BrowserPage>()
  return {
    async open() {
      const page = await openProfile(protection)
      pages.add(page)
      return page
    },
    close: async () => void (await Promise.all([...pages].map((page) => page.close()))),
  }
}

/**
 * Playwright's own switches are left out: they turn off that storage is kept apart by sites. The page is the one that the
 * browser opens on its own, because others that a debugger opens are in no private window.
 */
async function openProfile(protection: Protection): Promise<BrowserPage> {
  const profile = await makeProfile()
  const isPrivate = protection === 'private' || protection === 'strictest'
  const refuses = protection === 'no third parties' || protection === 'strictest'
  const mode = COOKIES_OF_OTHER_SITES[refuses ? 'refused' : 'refusedInPrivateWindows']
  await mkdir(join(profile.folder, 'Default'))
  const preferences = { profile: { cookie_controls_mode: mode } }
  await writeFile(join(profile.folder, 'Default/Preferences'), JSON.stringify(preferences))
  const context = await playwright.launchPersistentContext(profile.folder, {
    executablePath: wholeChromium() ?? (await chromiumPath()),
    ignoreDefaultArgs: true,
    args: [
      '--headless',
      '--remote-debugging-pipe',
      `--user-data-dir=${profile.folder}`,
      '--disable-gpu',
      '--no-first-run',
      '--disable-background-networking',
      ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
      ...(isPrivate ? ['--incognito'] : []),
      'about:blank',
    ],
  })
  const [page = await context.newPage()] = context.pages()
  return {
    ...pageOf(page),
    async close() {
      await context.close()
      await profile.remove()
    },
  }
}

function pageOf(page: Page): BrowserPage {
  return {
    ...documentOf(async () => page.mainFrame()),
    version: page.context().browser()?.version() ?? '',
    goto: async (url) => void (await page.goto(url)),
    resize: (width, height) => page.setViewportSize({ width, height }),
    type: (text) => page.keyboard.type(text),
    press: (...keys) => page.keyboard.press(keys.join('+')),
    screenshot: () => page.screenshot(),
    close: () => page.close(),
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
