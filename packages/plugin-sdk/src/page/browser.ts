import { loadCheckout } from '../pay/load-checkout.ts'
import type { Surroundings } from './surroundings.ts'

/** The browser that the page is open in. */
export function browser(): Surroundings {
  return {
    fetch: (url, init) => fetch(url, init),
    // Not randomUUID(), which a page without HTTPS lacks.
    newKey: () => Array.from(crypto.getRandomValues(new Uint32Array(4)), (part) => part.toString(16)).join('-'),
    sleep: (ms) =>
      new Promise((resolve) => {
        setTimeout(resolve, ms)
        addEventListener('online', () => resolve(), { once: true })
      }),
    storage: tabStorage(),
    dataText: () => document.getElementById('tillwright-data')?.textContent,
    onData: (listener) =>
      document.addEventListener('tillwright:data', (event) => {
        if (event instanceof CustomEvent) listener(event.detail)
      }),
    onReturn(listener) {
      addEventListener('online', listener)
      addEventListener('pageshow', ({ persisted }) => {
        if (persisted) listener()
      })
    },
    address: () => location.href,
    replaceAddress: (url) => history.replaceState(history.state, '', url),
    leave: (url) => location.assign(url),
    languages: navigator.languages,
    showLanguage(tag, direction) {
      document.documentElement.lang = tag
      document.documentElement.dir = direction
    },
    loadCheckout,
  }
}

/** The tab's storage; a page whose browser refuses it forgets with the page. */
function tabStorage(): Surroundings['storage'] {
  try {
    sessionStorage.setItem('tillwright', '')
    return sessionStorage
  } catch {
    const kept = new Map<string, string>()
    return { getItem: (key) => kept.get(key) ?? null, setItem: (key, text) => void kept.set(key, text) }
  }
}
