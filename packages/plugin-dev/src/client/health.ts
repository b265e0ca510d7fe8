import type { ViteHotContext } from 'vite/types/hot.d.ts'
import { watchUpdates } from './failed-updates.ts'
import { failureOf, type PageFailure, watchCalm, watchErrors, watchViolations } from './watchers.ts'

/** An error that happens so soon after an update comes from it. */
const BROKEN_BY_UPDATE_MS = 1_000

/** What the errors of a page say of it. */
export interface PageHealth {
  /** Whether the page could not even begin, so that nothing in it can take over a change. */
  hasStartFailed: () => boolean
  /** Whether one of its modules could not begin again. */
  hasRestartFailed: () => boolean
  /** Whether the last update has broken something. */
  isBroken: () => boolean
  /** The page is about to change: errors from before are gone, or will be reported again. */
  renew: () => void
  /** The page has begun or was changed: if nothing goes wrong for a second, the server is told that it runs. */
  begin: () => void
  /** Modules have taken the place of others. */
  updated: () => void
  /** The page begins again: nothing that it has done before counts. */
  restarting: () => void
  /** A module of the page could not begin again. */
  restartFailed: (error: unknown) => void
}

/** Reports what goes wrong in the page to the server, and remembers what the page has come to. */
export function watchHealth(hot: ViteHotContext): PageHealth {
  let updatedMs = -BROKEN_BY_UPDATE_MS
  let isBroken = false
  let hasRestartFailed = false
  const report = (failure: PageFailure) => {
    isBroken ||= performance.now() - updatedMs < BROKEN_BY_UPDATE_MS
    calm.disturb()
    hot.send('tillwright:failure', failure)
  }
  const start = watchErrors(report)
  watchUpdates(hot, report)
  watchViolations((violation) => {
    calm.disturb()
    hot.send('tillwright:violation', violation)
  })
  const calm = watchCalm(BROKEN_BY_UPDATE_MS, () => {
    if (!start.failed && !hasRestartFailed) hot.send('tillwright:runs', {})
  })
  return {
    hasStartFailed: () => start.failed,
    hasRestartFailed: () => hasRestartFailed,
    isBroken: () => isBroken,
    renew: calm.renew,
    begin: calm.begin,
    updated() {
      updatedMs = performance.now()
      isBroken = false
    },
    restarting() {
      updatedMs = performance.now()
      isBroken = false
      start.failed = false
      hasRestartFailed = false
    },
    restartFailed(error) {
      hasRestartFailed = true
      hot.send('tillwright:failure', failureOf(error))
    },
  }
}
