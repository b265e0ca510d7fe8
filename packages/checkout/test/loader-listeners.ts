import type { Page } from 'playwright-core'

/** What the script tag's loader listens for on the page's window and document. The browser itself is asked. */
export async function loaderListeners(page: Page): Promise<string[]> {
  const session = await page.context().newCDPSession(page)
  const loaders = new Set<string>()
  session.on('Debugger.scriptParsed', ({ url, scriptId }) => {
    if (url.endsWith('/v1/tillwright.js')) loaders.add(scriptId)
  })
  await session.send('Debugger.enable') // tells of every script that is there already
  const found = ['window', 'document'].map(async (expression) => {
    const { result } = await session.send('Runtime.evaluate', { expression })
    const { listeners } = await session.send('DOMDebugger.getEventListeners', { objectId: result.objectId ?? '' })
    return listeners.filter(({ scriptId }) => loaders.has(scriptId)).map(({ type }) => `${type} on ${expression}`)
  })
  const types = (await Promise.all(found)).flat()
  await session.detach()
  return types
}
