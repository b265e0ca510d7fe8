import type { ViteHotContext } from 'vite/types/hot.d.ts'
import { ownData } from './live-data.ts'

/** Between two looks of a page that nothing can tell of changes. */
const LOOK_EVERY_MS = 2_000

/**
 * Loads an outdated page again that has no connection yet: Vite gives up one that is cut before it is open, as when modules
 * are opened anew meanwhile, and one that comes with the token of the former modules.
 */
export function watchUnconnected(hot: Pick<ViteHotContext, 'on'>): void {
  const looking = setInterval(() => {
    isOutdated().then(
      (is) => is && location.reload(),
      () => {}, // the server is gone
    )
  }, LOOK_EVERY_MS)
  // The answer to the greeting.
  hot.on('tillwright:problems', () => clearInterval(looking))
}

async function isOutdated(): Promise<boolean> {
  const answer = await fetch(location.href, { cache: 'no-store', headers: { Accept: 'text/html' } })
  const now = new DOMParser().parseFromString(await answer.text(), 'text/html')
  return ownData(now).updates !== ownData().updates
}
