import type { Page, Request } from 'playwright-core'

/** What a page has asked for over the network. */
export interface Traffic {
  /** Resolves when everything that was asked for has been answered, or has failed. */
  answered: () => Promise<void>
  /** How many requests there were so far. */
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
