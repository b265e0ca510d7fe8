import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import type { AxeResults } from 'axe-core'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import type { Viewport } from '../scenarios/index.ts'
import { ToolMissing } from './browser.ts'
import type { PreparedScenario } from './hosts.ts'
import { payInPage, type PayingScenario } from './pay-in-page.ts'
import { compareScreenshots, takeScreenshot } from './screenshots.ts'
import { settlePage, type Traffic, watchTraffic } from './settled-page.ts'

/** The window in which a page is opened. */
export interface PageView {
  viewport: Viewport
  /** The language of the browser, BCP 47. */
  locale: string
  /** Pays in the page before it is looked at. */
  pays?: PayingScenario
  /** CSS selectors of what is painted over in the screenshot. */
  mask?: readonly string[]
}

/** The screenshot and problems of a page. */
export interface PageResult {
  /** The whole page, as PNG. */
  screenshot: Buffer
  /** The compressed bytes of its own scripts and styles. */
  loadedBytes: number
  problems: PageProblem[]
}

/** Opens a page in a new window, waits until it is settled, takes a screenshot and checks it. */
export function checkPage(browser: Browser, prepared: PreparedScenario, look: PageView): Promise<PageResult> {
  return inWindow(browser, look, (context) => visit(context, prepared, { ...look, check: checkAccessibility }))
}

/** The same without the check for accessibility, which takes longer than all the rest. */
export function screenshotPage(browser: Browser, prepared: PreparedScenario, look: PageView): Promise<PageResult> {
  return inWindow(browser, look, (context) => visit(context, prepared, { ...look, check: async () => [] }))
}

async function inWindow(
  browser: Browser,
  { viewport, locale }: PageView,
  work: (context: BrowserContext) => Promise<PageResult>,
): Promise<PageResult> {
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

type Visit = PageView & { check: (page: Page) => Promise<PageProblem[]> }

async function visit(
  context: BrowserContext,
  { url, config }: PreparedScenario,
  { check, pays, mask }: Visit,
): Promise<PageResult> {
  const page = await context.newPage()
  if (config !== null) await replaceConfig(page, config)
  const traffic = watchTraffic(page)
  const problems = watchErrors(page, { isDeclined: pays?.until === 'declined' })
  const response = await page.goto(url)
  const status = response?.status() ?? 0
  if (status >= 400) problems.push({ kind: 'document', message: `The page is answered with ${status}.` })
  const waitsFor = await settlePage(page, traffic)
  if (waitsFor !== null) problems.push({ kind: 'unsettled', message: `After 20 s it still waits for ${waitsFor}.` })
  if (pays !== undefined) problems.push(...(await pay(page, { pays, traffic })))
  problems.push(...(await check(page)))
  const screenshot = await takeScreenshot(page, mask)
  return { screenshot, loadedBytes: await traffic.loadedBytes(new URL(url).origin), problems }
}

interface Payment {
  pays: PayingScenario
  traffic: Traffic
}

/** Pays, and waits until the page shows the outcome. A page that looks as before has not told its buyer. */
async function pay(page: Page, { pays, traffic }: Payment): Promise<PageProblem[]> {
  let before: Buffer = Buffer.alloc(0)
  const failed = await payInPage(page, pays, async () => {
    before = await steadyLook(page)
  })
  if (failed.length > 0) return failed
  const untilMs = performance.now() + TOLD_WITHIN_MS
  for (;;) {
    // While the bank asks, the page goes on asking the platform.
    const waitsFor = pays.until === 'challenge' ? null : await settlePage(page, traffic)
    if (waitsFor !== null) return [{ kind: 'unsettled', message: `After 20 s it still waits for ${waitsFor}.` }]
    const isSame = (await compareScreenshots(before, await steadyLook(page), TOLD_MIN_SHARE)).outcome === 'same'
    if (!isSame) return []
    if (performance.now() > untilMs)
      return [{ kind: 'payment', message: `The page looks the same after the payment was ${pays.until}.` }]
    await page.waitForTimeout(LOOK_EVERY_MS)
  }
}

/**
 * The window once it stands still. The blur of a card form, which another process paints, and a form that is busy until an
 * answer is read, are still to be seen for a moment, and say nothing of the payment.
 */
async function steadyLook(page: Page): Promise<Buffer> {
  // Neither the pointer nor the keyboard says anything of the payment.
  await page.mouse.move(0, 0)
  await page.evaluate(() => document.activeElement instanceof HTMLElement && document.activeElement.blur())
  const untilMs = performance.now() + TOLD_WITHIN_MS
  const look = () => page.screenshot({ animations: 'disabled', caret: 'hide' })
  for (let last = await look(); ;) {
    await page.waitForTimeout(LOOK_EVERY_MS)
    const next = await look()
    const isSteady = (await compareScreenshots(last, next, TOLD_MIN_SHARE)).outcome === 'same'
    if (isSteady || performance.now() > untilMs) return next
    last = next
  }
}

/** Pages tell their buyer a moment after the platform has told them. */
const TOLD_WITHIN_MS = 3_000
const LOOK_EVERY_MS = 100
/** A word changes some 100 pixels of a million. */
const TOLD_MIN_SHARE = 0.00002

/** The rules of WCAG 2.2, levels A and AA. */
const WCAG = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']
const NAMED_MAX = 3

/**
 * The violations that axe-core finds in a page. The card form is skipped: it is the same in every plugin.
 *
 * @throws {ToolMissing} Where axe-core is not installed.
 */
export async function checkAccessibility(page: Page): Promise<PageProblem[]> {
  await page.evaluate(await axeSource()) // not as an element: the policy of the page would refuse it
  const { violations } = await page.evaluate<AxeResults, string[]>(
    (tags) =>
      Reflect.get(window, 'axe').run(document, {
        runOnly: { type: 'tag', values: tags },
        iframes: false,
        resultTypes: ['violations'],
      }),
    WCAG,
  )
  return violations.map(({ id, help, nodes }) => {
    const places = nodes.slice(0, NAMED_MAX).map(({ target }) => target.join(' '))
    const more = nodes.length > NAMED_MAX ? ` and ${nodes.length - NAMED_MAX} more` : ''
    return { kind: 'accessibility', message: `${help} (${id}): ${places.join(', ')}${more}` }
  })
}

async function axeSource(): Promise<string> {
  try {
    return await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
  } catch {
    throw new ToolMissing('Pages are checked by axe-core: install it with "npm install --save-dev axe-core".')
  }
}

/** Collects what a page complains of, from before it is opened. */
function watchErrors(page: Page, { isDeclined }: { isDeclined: boolean }): PageProblem[] {
  const problems: PageProblem[] = []
  page.on('console', (said) => {
    if (said.type() !== 'error') return
    // Browsers log an answer of 402, which is what a declined card is answered with, some time after the answer.
    if (isDeclined && /status of 402\b/.test(said.text())) return
    const { url, lineNumber } = said.location()
    const place = url === '' ? '' : ` (${new URL(url).pathname}:${lineNumber + 1})`
    problems.push({ kind: 'console', message: `${withoutTokens(said.text())}${place}` })
  })
  page.on('pageerror', ({ name, message }) => {
    problems.push({ kind: 'error', message: withoutTokens(`${name}: ${message}`) })
  })
  return problems
}

/** A session's token grants access to it, and these messages may be logged elsewhere. */
function withoutTokens(text: string): string {
  return text.replaceAll(/(fstok|fscode)_\w+/g, '$1_...')
}

/**
 * Replaces the settings in every document: a hosted page has those that are live in the store, and a scenario may need
 * any preset. The modules of a page run after this, once its document has been parsed.
 */
async function replaceConfig(page: Page, config: object): Promise<void> {
  await page.addInitScript((settings) => {
    const replace = () => {
      const data = document.getElementById('tillwright-data')
      if (data !== null) data.textContent = JSON.stringify({ ...JSON.parse(data.textContent), config: settings })
    }
    document.addEventListener('readystatechange', replace, { once: true })
  }, config)
}

/** A problem of a page in a scenario. */
export interface PageProblem {
  kind: 'console' | 'error' | 'unsettled' | 'document' | 'accessibility' | 'budget' | 'screenshot' | 'payment'
  message: string
}
