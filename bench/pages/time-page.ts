import type { Browser, Page, Request } from 'playwright-core'

/** The network and the processor of a middling telephone, as Lighthouse slows them down in DevTools. */
const LATENCY_MS = 562.5
const DOWN_BITS_PER_SECOND = 1_474_560
const UP_BITS_PER_SECOND = 675_000
const CPU_SLOWER = 4

/** A page that asks for nothing and changes nothing for so long is done. */
const QUIET_MS = 3_000
const TIMEOUT_MS = 60_000

/** One loading of a page. Times in milliseconds from the start of the navigation. */
export interface Loading {
  /** First Contentful Paint. */
  fcp: number
  /** Largest Contentful Paint. */
  lcp: number
  /** Total Blocking Time: what tasks take beyond 50 ms, from the first paint on. */
  tbt: number
  /** Cumulative Layout Shift, of all shifts together. */
  cls: number
  /** Of the page's own scripts that came before it was done, as they were sent. */
  scriptBytes: number
  /** Of everything that was sent to the page, the card form's loader and frame included. */
  allBytes: number
}

/** Opens a page with nothing in any cache, on a slow telephone, and waits until it is done. */
export async function timePage(browser: Browser, url: string): Promise<Loading> {
  const context = await browser.newContext({
    viewport: { width: 412, height: 823 },
    deviceScaleFactor: 1.75,
    isMobile: true,
    hasTouch: true,
    locale: 'en-US',
  })
  try {
    const page = await context.newPage()
    await slowDown(page)
    await page.addInitScript(observe)
    const finished: Request[] = []
    page.on('requestfinished', (request) => void finished.push(request))
    await page.goto(url, { waitUntil: 'load', timeout: TIMEOUT_MS })
    await quiet(page, finished)
    const times = await page.evaluate(
      () => Reflect.get(window, 'loadingTimes') as Omit<Loading, 'scriptBytes' | 'allBytes'>,
    )
    return { ...times, ...(await bytesOf(finished, new URL(url).origin)) }
  } finally {
    await context.close()
  }
}

async function slowDown(page: Page): Promise<void> {
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('Network.enable')
  await devtools.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: LATENCY_MS,
    downloadThroughput: DOWN_BITS_PER_SECOND / 8,
    uploadThroughput: UP_BITS_PER_SECOND / 8,
  })
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: CPU_SLOWER })
}

/** Waits until nothing more has been loaded for a while: nothing in the page tells when it is done. */
async function quiet(page: Page, finished: readonly Request[]): Promise<void> {
  let before = -1
  while (before !== finished.length) {
    before = finished.length
    await page.waitForTimeout(QUIET_MS)
  }
}

async function bytesOf(
  finished: readonly Request[],
  origin: string,
): Promise<Pick<Loading, 'scriptBytes' | 'allBytes'>> {
  const sizes = await Promise.all(finished.map(async (request) => ({ request, ...(await request.sizes()) })))
  const sum = (all: typeof sizes) => all.reduce((bytes, { responseBodySize }) => bytes + responseBodySize, 0)
  const own = sizes.filter(
    ({ request }) => request.resourceType() === 'script' && new URL(request.url()).origin === origin,
  )
  return { scriptBytes: sum(own), allBytes: sum(sizes) }
}

/** Runs in the page, before anything else. Sources: Paint Timing, LCP, Layout Instability and Long Tasks. */
function observe(): void {
  const times = { fcp: 0, lcp: 0, tbt: 0, cls: 0 }
  Reflect.set(window, 'loadingTimes', times)
  const watch = (type: string, take: (entry: PerformanceEntry) => void): void =>
    new PerformanceObserver((list) => list.getEntries().forEach(take)).observe({ type, buffered: true })
  watch('paint', ({ name, startTime }) => {
    if (name === 'first-contentful-paint') times.fcp = startTime
  })
  watch('largest-contentful-paint', ({ startTime }) => (times.lcp = startTime))
  watch('layout-shift', (entry) => (times.cls += Number(entry.toJSON().value)))
  watch('longtask', ({ startTime, duration }) => {
    if (times.fcp === 0 || startTime > times.fcp) times.tbt += Math.max(0, duration - 50)
  })
}
