import type { Browser, BrowserContext, Page } from 'playwright-core'
import { checkAccessibility } from './check-accessibility.ts'
import type { PageProblem } from './page-problem.ts'
import type { PreparedScenario } from './scenario-host.ts'
import { settlePage } from './settle-page.ts'
import { takePicture } from './take-picture.ts'
import type { Viewport } from './viewport-of.ts'
import { watchErrors } from './watch-errors.ts'
import { watchTraffic } from './watch-traffic.ts'
import { withConfig } from './with-config.ts'

/** How a page is looked at. */
export interface Look {
  viewport: Viewport
  /** The language of the browser, BCP 47. */
  locale: string
}

/** What was seen. */
export interface Seen {
  /** The whole page, as PNG. */
  picture: Buffer
  /** The compressed bytes of its own scripts and styles. */
  loadedBytes: number
  problems: PageProblem[]
}

/** Opens a page in a window of its own, waits until it is settled, takes its picture and checks it. */
export function lookAtPage(browser: Browser, prepared: PreparedScenario, look: Look): Promise<Seen> {
  return inWindow(browser, look, (context) => seen(context, prepared, checkAccessibility))
}

/** The same without the check for accessibility, which takes longer than all the rest. */
export function picturePage(browser: Browser, prepared: PreparedScenario, look: Look): Promise<Seen> {
  return inWindow(browser, look, (context) => seen(context, prepared, async () => []))
}

async function inWindow(
  browser: Browser,
  { viewport, locale }: Look,
  work: (context: BrowserContext) => Promise<Seen>,
): Promise<Seen> {
  const context = await browser.newContext({
    viewport,
    locale,
    timezoneId: 'UTC',
    colorScheme: 'light',
    reducedMotion: 'reduce',
  })
  try {
    return await work(context)
  } finally {
    await context.close()
  }
}

async function seen(
  context: BrowserContext,
  { url, config }: PreparedScenario,
  check: (page: Page) => Promise<PageProblem[]>,
): Promise<Seen> {
  const page = await context.newPage()
  if (config !== null) await withConfig(page, config)
  const traffic = watchTraffic(page)
  const problems = watchErrors(page)
  const response = await page.goto(url)
  const status = response?.status() ?? 0
  if (status >= 400) problems.push({ kind: 'document', message: `The page is answered with ${status}.` })
  const waitsFor = await settlePage(page, traffic)
  if (waitsFor !== null) problems.push({ kind: 'unsettled', message: `After 20 s it still waits for ${waitsFor}.` })
  problems.push(...(await check(page)))
  const picture = await takePicture(page)
  return { picture, loadedBytes: await traffic.loadedBytes(new URL(url).origin), problems }
}
