import type { Surroundings } from './surroundings.ts'

/** The browser that the page is open in. */
export function browser(): Surroundings {
  return {
    fetch: (url, init) => fetch(url, init),
    // Not randomUUID(), which a page without HTTPS lacks.
    newKey: () => crypto.getRandomValues(new Uint32Array(4)).join('-'),
    sleep: (ms) => new Promise((resolve) => void setTimeout(resolve, ms)),
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
    location,
    history,
    languages: navigator.languages,
    showLanguage(tag, direction) {
      document.documentElement.lang = tag
      document.documentElement.dir = direction
    },
  }
}

/** The tab's storage; a page whose browser refuses it forgets with the page. */
function tabStorage(): Surroundings['storage'] {
  try {
    return sessionStorage
  } catch {
    return null
  }
}
