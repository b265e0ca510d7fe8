import type { Browser } from 'playwright-core'

/** Pictures on a ground as one, side by side or one below the other. Each is shown as large as it was taken. */
export async function layOut(
  browser: Browser,
  pictures: readonly Buffer[],
  { ground, direction }: { ground: string; direction: 'row' | 'column' },
): Promise<Buffer> {
  const page = await browser.newPage({ viewport: { width: 100, height: 100 } })
  try {
    const images = pictures.map((picture) => `<img src="data:image/png;base64,${picture.toString('base64')}">`)
    await page.setContent(`<style>
      body { margin: 0; width: max-content; display: flex; flex-direction: ${direction}; align-items: flex-start; gap: 20px; padding: 20px; background: ${ground} }
      img { border-radius: 10px; box-shadow: 0 0 0 1px rgb(8 12 24 / 14%) }
    </style>${images.join('')}`)
    return await page.screenshot({ fullPage: true })
  } finally {
    await page.close()
  }
}
