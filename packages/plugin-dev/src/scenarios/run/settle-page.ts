import type { Page } from 'playwright-core'
import type { Traffic } from './watch-traffic.ts'

/** What never ends is given up after this time, and told. */
const SETTLED_WITHIN_MS = 20_000
/** A page that goes on to ask for more each time it is painted would be looked at for ever. */
const ROUNDS_MAX = 50

/**
 * Waits until a page is what it is going to be: everything that it has asked for is there, its session among it, fonts are
 * loaded, pictures decoded, card forms shown, and painting it has led to nothing new.
 *
 * @returns What it still waits for when its time is over; `null` when it is settled.
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
    at('fonts, pictures and card forms')
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
  // The whole page is looked at, and a lazy picture that is out of view or not shown would never be there.
  for (const image of document.images) image.loading = 'eager'
  await Promise.all([...document.images].map((image) => image.decode().catch(() => {})))
  const nextFrame = () => new Promise((resolve) => void requestAnimationFrame(resolve))
  // A card form that is to be seen has no height of its own until it can be typed into.
  const isWaiting = () =>
    [...document.querySelectorAll('iframe')].some(
      (frame) => frame.style.height === '0px' && frame.getClientRects().length > 0,
    )
  do {
    await nextFrame()
    await nextFrame()
  } while (isWaiting())
  return true
}
