import type { ViteHotContext } from 'vite/types/hot.d.ts'
import { framePlacement } from './cards/frame-placement.ts'
import { keepForms } from './cards/kept-forms.ts'
import type { PageHealth } from './health.ts'
import { keepDocument, loadAgain, showAddress, takePlugin, unlessLeaving } from './live-data.ts'
import { pageRestart } from './restart.ts'

/** What changes of a page have to do with. */
export interface ChangedPage {
  health: PageHealth
  /** Shows no errors of the page any more. */
  hideErrors: () => void
}

/**
 * Brings changes of the plugin into the page, with as little lost as possible: modules take the place of former ones; where
 * they cannot, the page begins again in its document, which keeps a typed card; where that cannot be, it is loaded again.
 *
 * Called last: what is listened to from then on is the page's own, and ends when it begins again.
 */
export function takeChanges(hot: ViteHotContext, { health, hideErrors }: ChangedPage): void {
  const forms = keepForms(framePlacement())
  const { restart, trackPage } = pageRestart({
    leaving() {
      forms.release()
      forgetErrors()
      health.restarting()
    },
    begun: health.begin,
    failed: health.restartFailed,
  })
  // Without a typed card, what only a document can show is loaded as it is when published.
  keepDocument(() => (forms.hasForm() ? restart() : Promise.resolve(false)))

  hot.on('tillwright:plugin', (message) => {
    forgetErrors()
    takePlugin(message)
    health.begin()
  })
  hot.on('tillwright:navigate', ({ path }) => showAddress(path))
  hot.on('tillwright:restart', beginAgain)
  document.addEventListener('tillwright:restart', beginAgain)
  hot.on('vite:beforeFullReload', unlessLeaving)

  const areModulesSound = loadOnceFixed(hot, health)
  const isOutdated = watchMissedUpdates(hot)
  addEventListener('load', () => (isOutdated() ? loadAgain() : health.begin()))
  hot.on('vite:beforeUpdate', ({ updates }) => {
    if (!updates.every(isOfStyle)) forgetErrors()
    forms.expectExchange()
    if (health.hasStartFailed() && areModulesSound()) loadAgain()
  })
  hot.on('vite:afterUpdate', ({ updates }) => {
    // Components that the former update has broken may be gone, and take none any more.
    const isGone = health.isBroken() && (forms.isWaiting() || document.body.innerText.trim() === '')
    health.updated()
    if (!updates.every(isOfStyle)) health.begin()
    if (isGone || health.hasRestartFailed()) beginAgain()
  })
  trackPage()

  /** Errors from before a change are gone, or will be reported again. */
  function forgetErrors(): void {
    hideErrors()
    health.renew()
  }

  function beginAgain(): void {
    if (health.hasStartFailed() && !forms.hasForm()) location.reload()
    else void restart().then((isDone) => isDone || location.reload())
  }
}

/**
 * Loads a page that could not begin again as soon as it can: when the last error of the plugin is fixed, and when all of its
 * modules can be served again.
 *
 * @returns Whether they can.
 */
function loadOnceFixed(hot: ViteHotContext, { hasStartFailed, hasRestartFailed }: PageHealth): () => boolean {
  let hadProblems = false
  hot.on('tillwright:problems', (problems) => {
    const isFixed = hadProblems && problems.length === 0
    hadProblems = problems.length > 0
    if (isFixed && hasStartFailed()) loadAgain()
  })
  let areModulesSound = true
  hot.on('tillwright:modules', ({ areSound }) => {
    areModulesSound = areSound
    if (areSound && (hasStartFailed() || hasRestartFailed())) loadAgain()
  })
  return () => areModulesSound
}

/** @returns Whether there was an update before the page was loaded: a module that is still being loaded takes none. */
function watchMissedUpdates(hot: ViteHotContext): () => boolean {
  let isOutdated = false
  hot.on('vite:beforeUpdate', () => void (isOutdated ||= document.readyState !== 'complete'))
  return () => isOutdated
}

/** An error of a page does not come from its styles, and does not go with them. */
function isOfStyle({ path }: { path: string }): boolean {
  return /\.css(?:$|\?)/.test(path)
}
