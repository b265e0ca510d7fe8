import type { Page, Request } from 'playwright-core'

/** The time-out of `settlePage`. */
const SETTLED_WITHIN_MS = 20_000
/** A page that goes on to ask for more each time it is painted would be looked at for ever. */
const ROUNDS_MAX = 50

/**
 * Waits until a page is settled: all requests are answered, including that of its session, fonts are loaded, images
 * decoded, card forms shown, and painting has caused no new requests.
 *
 * @returns `null` when it is settled; after the time-out, what it still waits for.
 */
export async function settlePage(page: Page, traffic: Traffic): Promise<string | null> {
  let timer: NodeJS.Timeout | undefined
  let stage = 'answers to its requests'
  const late = new Promise<string>((resolve) => {
    timer = setTimeout(() => resolve(stage), SETTLED_WITHIN_MS)
  })
  const settled = rounds(page, traffic, (next) => (stage = next))
  try {
    return await Promise.race([settled, late])
  } finally {
    clearTimeout(timer)
    settled.catch(() => {}) // the page is closed when its time is over
  }
}

async function rounds(page: Page, traffic: Traffic, at: (stage: string) => void): Promise<null> {
  for (let round = 0; round < ROUNDS_MAX; round += 1) {
    const before = traffic.count()
    at('answers to its requests')
    await traffic.answered()
    at('fonts, images and card forms')
    const isPainted = await page.evaluate(painted).catch(unlessGone)
    if (isPainted && traffic.count() === before) return null
    if (!isPainted) await page.waitForLoadState('load')
  }
  return null
}

/** The page has loaded another document meanwhile, which is what is to be settled now. */
function unlessGone(error: unknown): false {
  if (/context was destroyed|navigat/i.test(String(error))) return false
  throw error
}

/** Runs in the page. */
async function painted(): Promise<true> {
  await document.fonts.ready
  // The screenshot shows the whole page, and a lazy image out of view would never load.
  for (const image of document.images) image.loading = 'eager'
  await Promise.all([...document.images].map((image) => image.decode().catch(() => {})))
  const nextFrame = () => new Promise((resolve) => void requestAnimationFrame(resolve))
  // A card form that is to be seen has no height of its own until it can be typed into.
  const isWaiting = () =>
    [...document.querySelectorAll('iframe')].some(
      (frame) => frame.style.height === '0px' && frame.getClientRects().length > 0,
    )
  // A script that has come and waits for its turn, such as that of the wallets, has it before the page is idle.
  const idle = () => new Promise((resolve) => void requestIdleCallback(resolve, { timeout: 1_000 }))
  do {
    await idle()
    await nextFrame()
    await nextFrame()
  } while (isWaiting())
  return true
}

/** The requests of a page. */
export interface Traffic {
  /** Resolves when everything that was asked for has been answered, or has failed. */
  answered: () => Promise<void>
  /** The number of requests so far. */
  count: () => number
  /** The compressed bytes of the scripts and styles from the page's own origin. */
  loadedBytes: (origin: string) => Promise<number>
}

/** Watches a page before it is opened. */
export function watchTraffic(page: Page): Traffic {
  const pending = new Set<Request>()
  const finished: Request[] = []
  let waiting: (() => void)[] = []
  let count = 0
  const end = (request: Request) => {
    pending.delete(request)
    if (pending.size > 0) return
    for (const tell of waiting) tell()
    waiting = []
  }
  page.on('request', (request) => {
    count += 1
    pending.add(request)
  })
  page.on('requestfinished', (request) => {
    finished.push(request)
    end(request)
  })
  page.on('requestfailed', end)
  return {
    count: () => count,
    answered: () =>
      pending.size === 0 ? Promise.resolve() : new Promise<void>((resolve) => void waiting.push(resolve)),
    async loadedBytes(origin) {
      const own = finished.filter(
        (request) =>
          ['script', 'stylesheet'].includes(request.resourceType()) && new URL(request.url()).origin === origin,
      )
      const sizes = await Promise.all(own.map((request) => request.sizes()))
      return sizes.reduce((sum, { responseBodySize }) => sum + responseBodySize, 0)
    },
  }
}
