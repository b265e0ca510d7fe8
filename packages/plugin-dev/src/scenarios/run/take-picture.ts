import type { Page } from 'playwright-core'

/** No picture is higher than this, in CSS pixels. */
const HEIGHT_MAX_PX = 12_000

/**
 * Takes the picture of a whole page. The window is made as high as the page for it: a browser leaves frames of other origins
 * empty where they are outside of the window, and card forms are such.
 */
export async function takePicture(page: Page): Promise<Buffer> {
  const { width = 0, height = 0 } = page.viewportSize() ?? {}
  const whole = await page.evaluate(() => document.documentElement.scrollHeight)
  await page.setViewportSize({ width, height: Math.min(Math.max(height, whole), HEIGHT_MAX_PX) })
  for (const frame of page.frames()) {
    const isShown = frame.parentFrame() === null || (await (await frame.frameElement()).isVisible())
    if (isShown) await frame.evaluate(painted)
  }
  return page.screenshot({ animations: 'disabled', caret: 'hide' })
}

/** Runs in a frame: what was changed before has been painted after it. */
function painted(): Promise<unknown> {
  return new Promise((resolve) => void requestAnimationFrame(() => requestAnimationFrame(resolve)))
}
