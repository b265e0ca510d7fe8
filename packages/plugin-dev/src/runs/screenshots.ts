import type { Page } from 'playwright-core'
import type { PNG } from 'pngjs'

/** The colour distance below which pixels count as equal: text is antialiased slightly differently each time. */
const COLOUR_THRESHOLD = 0.1
/** The share of a screenshot that may differ: one pixel in two thousand. */
const DIFFERING_MAX_SHARE = 0.0005

/** The result of a visual comparison. */
export type Comparison =
  | { outcome: 'same' }
  | { outcome: 'other-size' | 'differs'; message: string; difference: Buffer }

/**
 * Compares two PNGs pixel by pixel. `difference` is a PNG that shows the differences in red; of screenshots of two sizes it is as
 * large as both.
 *
 * @param maxShare The share of pixels that may differ.
 */
export async function compareScreenshots(
  before: Buffer,
  now: Buffer,
  maxShare = DIFFERING_MAX_SHARE,
): Promise<Comparison> {
  if (before.equals(now)) return { outcome: 'same' }
  const [{ PNG }, { default: pixelmatch }] = await Promise.all([import('pngjs'), import('pixelmatch')])
  const [a, b] = [PNG.sync.read(before), PNG.sync.read(now)]
  const [width, height] = [Math.max(a.width, b.width), Math.max(a.height, b.height)]
  const onGround = (screenshot: PNG) => {
    const ground = new PNG({ width, height })
    PNG.bitblt(screenshot, ground, 0, 0, screenshot.width, screenshot.height, 0, 0)
    return ground.data
  }
  const shown = new PNG({ width, height })
  const differing = pixelmatch(onGround(a), onGround(b), shown.data, width, height, { threshold: COLOUR_THRESHOLD })
  const share = differing / (width * height)
  const isOtherSize = a.width !== b.width || a.height !== b.height
  if (!isOtherSize && share <= maxShare) return { outcome: 'same' }
  const difference = PNG.sync.write(shown)
  if (isOtherSize) return { outcome: 'other-size', message: `It is ${sizeOf(b)} and was ${sizeOf(a)}.`, difference }
  const percent = (share * 100).toFixed(2)
  return {
    outcome: 'differs',
    message: `${differing.toLocaleString('en-US')} pixels (${percent} %) differ.`,
    difference,
  }
}

function sizeOf({ width, height }: PNG): string {
  return `${width} x ${height}`
}

/** The maximum height of a screenshot, in CSS pixels. */
const HEIGHT_MAX_PX = 12_000

/**
 * Takes a full-page screenshot. The window is first made as high as the page, because a browser does not paint frames
 * of other origins, such as card forms, outside of the window.
 */
export async function takeScreenshot(page: Page, mask: readonly string[] = []): Promise<Buffer> {
  const { width = 0, height = 0 } = page.viewportSize() ?? {}
  const whole = await page.evaluate(() => document.documentElement.scrollHeight)
  await page.setViewportSize({ width, height: Math.min(Math.max(height, whole), HEIGHT_MAX_PX) })
  for (const frame of page.frames()) {
    const isShown = frame.parentFrame() === null || (await (await frame.frameElement()).isVisible())
    if (isShown) await frame.evaluate(nextPaint)
  }
  return page.screenshot({
    animations: 'disabled',
    caret: 'hide',
    mask: mask.map((selector) => page.locator(selector)),
    maskColor: '#8a8f98',
  })
}

/** Runs in a frame: what was changed before has been painted after it. */
function nextPaint(): Promise<unknown> {
  return new Promise((resolve) => void requestAnimationFrame(() => requestAnimationFrame(resolve)))
}
