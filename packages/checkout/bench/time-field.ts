import { chromium, type Browser, type Frame, type Locator, type Page } from 'playwright-core'
import { chromiumPath } from '../../../.ci/chromium.ts'
import { SHOP_ORIGIN, type Contender } from './contender.ts'
import type { Certificate } from './make-certificate.ts'

/** The network of a run: a slow telephone's. */
const ROUND_TRIP_MS = 150
const BITS_PER_SECOND = 1_600_000

const TIMEOUT_MS = 60_000

/** Starts a Chromium that finds every host at one port of this machine, and none beyond it. */
export async function launchBrowser(port: number, { fingerprint }: Certificate): Promise<Browser> {
  return chromium.launch({
    executablePath: await chromiumPath(),
    chromiumSandbox: process.getuid?.() !== 0,
    args: [
      `--host-resolver-rules=MAP * 127.0.0.1:${port}`,
      // Believed by its fingerprint the certificate is a good one, so that the cache works as it would.
      `--ignore-certificate-errors-spki-list=${fingerprint}`,
      // Keeps all frames in the page's process: the network that is emulated for a page is then theirs, too.
      '--disable-site-isolation-trials',
      '--disable-gpu',
      '--disable-quic',
      '--disable-background-networking',
    ],
  })
}

/**
 * Opens the shop with nothing in any cache, waits until the card number's field is there, and types into it.
 *
 * @returns Milliseconds from the start of the navigation until the field has the keyboard.
 * @throws {Error} When it does not come, or takes no digit.
 */
export async function timeField(browser: Browser, { name, field }: Contender): Promise<number> {
  const context = await browser.newContext({ viewport: { width: 480, height: 640 } })
  const page = await context.newPage()
  const messages: string[] = []
  page.on('console', (message) => void messages.push(message.text()))
  page.on('pageerror', ({ message }) => void messages.push(message))
  try {
    await slowDown(page)
    const { promise, resolve, reject } = Promise.withResolvers<Focus>()
    await page.exposeBinding('cardFieldHasFocus', ({ frame }, atMs: number) => resolve({ frame, atMs }))
    await page.addInitScript(watchForField, field)
    const timer = setTimeout(
      () => reject(new Error(`${name} has no field ${field}: ${messages.join('; ')}`)),
      TIMEOUT_MS,
    )
    await page.goto(SHOP_ORIGIN, { waitUntil: 'commit' })
    const { frame, atMs } = await promise.finally(() => clearTimeout(timer))
    if (!(await takesDigit(page, frame.locator(field)))) throw new Error(`${name} has a field that takes no digit.`)
    return atMs - (await page.evaluate(() => performance.timeOrigin))
  } finally {
    await context.close()
  }
}

interface Focus {
  frame: Frame
  /** Milliseconds since 1970, with fractions, by the clock of the frame's page. */
  atMs: number
}

async function slowDown(page: Page): Promise<void> {
  const network = await page.context().newCDPSession(page)
  const bytesPerSecond = BITS_PER_SECOND / 8
  await network.send('Network.enable')
  await network.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: ROUND_TRIP_MS,
    downloadThroughput: bytesPerSecond,
    uploadThroughput: bytesPerSecond,
  })
}

/** Types until a digit stays: a field that has the keyboard already may still empty itself as it wakes up. */
async function takesDigit(page: Page, field: Locator): Promise<boolean> {
  for (let tries = 0; tries < 100; tries += 1) {
    await page.keyboard.type('4')
    if ((await field.inputValue()).startsWith('4')) return true
  }
  return false
}

/** Runs in every frame: checks on each animation frame whether the field is there, and focuses it. */
function watchForField(selector: string): void {
  const look = (): void => {
    const field = document.querySelector<HTMLInputElement>(selector)
    if (field !== null && field.checkVisibility() && !field.disabled) {
      field.focus()
      if (document.activeElement === field) {
        // The binding that `timeField` has exposed.
        const { cardFieldHasFocus } = window as unknown as { cardFieldHasFocus(atMs: number): void }
        return cardFieldHasFocus(performance.timeOrigin + performance.now())
      }
    }
    requestAnimationFrame(look)
  }
  look()
}
