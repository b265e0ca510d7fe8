import { afterEach } from 'vitest'
import { openBrowsers } from './chromium.ts'

const TEXT_MAX = 2_000

/**
 * When a test fails: the address and the visible text of each page and frame that it has open, so that one failure in a
 * hundred runs can be explained.
 */
afterEach(async ({ task }) => {
  if (task.result?.state !== 'fail') return
  const pages = openBrowsers().flatMap((browser) => browser.contexts().flatMap((context) => context.pages()))
  for (const frame of pages.flatMap((page) => page.frames())) {
    const text = await frame
      .locator('body')
      .ariaSnapshot({ timeout: 5_000 })
      .catch((error: unknown) => String(error))
    console.error(`Open in "${task.name}": ${frame.url()}\n${text.slice(0, TEXT_MAX)}`)
  }
})
