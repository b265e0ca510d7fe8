import type { CDPSession, Page } from 'playwright-core'

/** Listeners of the page's watch itself, once each: see `watch-pages.ts` and `shop-page.ts`. */
const OF_WATCH = ['message on window', 'securitypolicyviolation on document']

/** Lists the loader's listeners on window and document, as the browser's debugger reports them. */
export async function loaderListeners(page: Page): Promise<string[]> {
  const session = await page.context().newCDPSession(page)
  try {
    const all = (await Promise.all(['window', 'document'].map((target) => listenersOn(target, session)))).flat()
    // To ask which script is the loader has the browser hash and tell of every script, those of Playwright included.
    if (
      all
        .map(({ name }) => name)
        .toSorted()
        .join() === OF_WATCH.join()
    )
      return []
    const loaders = await loadersIn(session)
    return all.filter(({ scriptId }) => loaders.has(scriptId)).map(({ name }) => name)
  } finally {
    await session.detach()
  }
}

interface Listener {
  name: string
  scriptId: string
}

async function listenersOn(expression: string, session: CDPSession): Promise<Listener[]> {
  const { result } = await session.send('Runtime.evaluate', { expression })
  const { listeners } = await session.send('DOMDebugger.getEventListeners', { objectId: result.objectId ?? '' })
  return listeners.map(({ type, scriptId }) => ({ name: `${type} on ${expression}`, scriptId }))
}

async function loadersIn(session: CDPSession): Promise<Set<string>> {
  const loaders = new Set<string>()
  session.on('Debugger.scriptParsed', ({ url, scriptId }) => {
    if (url.endsWith('/v1/tillwright.js')) loaders.add(scriptId)
  })
  await session.send('Debugger.enable') // tells of every script that is there already
  return loaders
}
