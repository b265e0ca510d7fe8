import type { Browser } from 'playwright-core'

/** Screenshots on one background, side by side or one below the other, each in its original size. */
export async function layOut(
  browser: Browser,
  screenshots: readonly Buffer[],
  { ground, direction }: { ground: string; direction: 'row' | 'column' },
): Promise<Buffer> {
  const page = await browser.newPage({ viewport: { width: 100, height: 100 } })
  try {
    const images = screenshots.map((each) => `<img src="data:image/png;base64,${each.toString('base64')}">`)
    await page.setContent(`<style>
      body { margin: 0; width: max-content; display: flex; flex-direction: ${direction}; align-items: flex-start; gap: 20px; padding: 20px; background: ${ground} }
      img { border-radius: 10px; box-shadow: 0 0 0 1px rgb(8 12 24 / 14%) }
    </style>${images.join('')}`)
    return await page.screenshot({ fullPage: true })
  } finally {
    await page.close()
  }
}
