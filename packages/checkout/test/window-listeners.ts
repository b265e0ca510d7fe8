import type { Page } from 'playwright-core'

/** The events that the shop or its checkout listens for on the page's window, sorted. The browser itself is asked. */
export async function windowListeners(page: Page): Promise<string[]> {
  const session = await page.context().newCDPSession(page)
  const { result } = await session.send('Runtime.evaluate', { expression: 'window' })
  const objectId = result.objectId ?? ''
  const { listeners } = await session.send('DOMDebugger.getEventListeners', { objectId })
  await session.detach()
  return listeners.map(({ type }) => type).toSorted()
}
