import type { ViteHotContext } from 'vite/types/hot.d.ts'
import { ownData } from './live-data.ts'

/** Between two looks of a page that nothing can tell of changes. */
const LOOK_EVERY_MS = 2_000

/** Tells the server which plugin and modules the page was made of, each time that a connection to it opens. */
export function greetServer(hot: ViteHotContext): void {
  const greet = () => {
    const { revision, updates } = ownData()
    hot.send('tillwright:hello', { revision, updates })
  }
  hot.on('vite:ws:connect', greet)
  // Vite would look for the server from a worker made of a text, which no policy of a page allows; without it, from here.
  hot.on('vite:ws:disconnect', () => void Reflect.deleteProperty(window, 'SharedWorker'))
  greet()
  lookUntilAnswered(hot)
}

/**
 * Loads an outdated page again that has no connection yet: Vite gives up one that is cut before it is open, as when modules
 * are opened anew meanwhile, and one that comes with the token of the former modules.
 */
function lookUntilAnswered(hot: ViteHotContext): void {
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
