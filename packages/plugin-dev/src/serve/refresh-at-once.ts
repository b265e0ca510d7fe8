import type { Plugin } from 'vite'

/** What Preact's refresh adds to a module of components: with it, it exchanges them once all modules of an update have run. */
const exchanges = /\bimport \{ flush as flushUpdates \} from\b/

/**
 * Lets each module exchange its components as soon as it has run. A module behind it may show the page anew, as entries that
 * have a component of their own do; Preact's refresh would then exchange components that are no longer in the page, take
 * those that are for gone, and show no later edit of them.
 */
export function refreshAtOnce(): Plugin {
  return {
    name: 'tillwright:refresh-at-once',
    apply: 'serve',
    transform: (code) => (exchanges.test(code) ? { code: `${code}\n${exchange}`, map: null } : null),
  }
}

/** As it does itself where a component cannot be exchanged. */
const exchange = 'if (import.meta.hot) try { flushUpdates() } catch { self.location.reload() }\n'
