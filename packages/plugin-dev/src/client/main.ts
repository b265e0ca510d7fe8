/// <reference types="vite/client" />
import { framePlacement } from './cards/frame-placement.ts'
import { keepForms } from './cards/kept-forms.ts'
import { watchUpdates } from './failed-updates.ts'
import { keepDocument, loadAgain, ownData, showAddress, takePlugin, unlessLeaving } from './live-data.ts'
import { createOverlay } from './overlay.ts'
import { pageRestart } from './restart.ts'
import { openToolbar } from './toolbar/toolbar.ts'
import { watchUnconnected } from './unconnected.ts'
import { failureOf, type PageFailure, watchCalm, watchCardFields, watchErrors, watchViolations } from './watchers.ts'

/** An error that happens so soon after an update comes from it. */
const BROKEN_BY_UPDATE_MS = 1_000

/** Loaded by every page of a dev server before its own modules: shows problems, and applies changes. */
// Written out, since Vite looks for these very words.
const hot = import.meta.hot
if (hot !== undefined) {
  const overlay = createOverlay(
    (place) => void fetch(`${import.meta.env.BASE_URL}__open-in-editor?file=${editorPath(place)}`),
  )
  const forms = keepForms(framePlacement())
  let updatedMs = -BROKEN_BY_UPDATE_MS
  let isBroken = false
  const calm = watchCalm(BROKEN_BY_UPDATE_MS, () => start.failed || page.hasFailed() || hot.send('tillwright:runs', {}))
  const fail = (failure: PageFailure) => {
    isBroken ||= performance.now() - updatedMs < BROKEN_BY_UPDATE_MS
    calm.disturb()
    hot.send('tillwright:failure', failure)
  }
  const start = watchErrors(fail)
  watchUpdates(hot, fail)
  watchUnconnected(hot)
  watchViolations((violation) => {
    calm.disturb()
    hot.send('tillwright:violation', violation)
  })
  watchCardFields((problems) => overlay.show('inputs', problems))
  hot.on('tillwright:problems', (problems) => {
    const wereThere = overlay.of('plugin').length > 0
    overlay.show('plugin', problems)
    if (wereThere && problems.length === 0 && start.failed) loadAgain()
  })
  let areModulesSound = true
  hot.on('tillwright:modules', ({ areSound }) => {
    areModulesSound = areSound
    if (areSound && (start.failed || page.hasFailed())) loadAgain()
  })
  hot.on('vite:beforeFullReload', unlessLeaving)
  hot.on('tillwright:page-error', (problem) => {
    const isOther = (each: object) => JSON.stringify(each) !== JSON.stringify(problem)
    overlay.show('page', [...overlay.of('page').filter(isOther), problem].slice(-10))
  })
  hot.on('tillwright:plugin', (message) => {
    forgetErrors()
    takePlugin(message)
    calm.begin()
  })
  if (ownData().toolbar === 'corner') {
    const toolbar = openToolbar({
      begin: (scenario) => hot.send('tillwright:begin', { scenario }),
      inspect: (paymentId) => hot.send('tillwright:inspect', { paymentId }),
      leave: () => hot.send('tillwright:inspect-no-more', {}),
    })
    hot.on('tillwright:inspected', toolbar.inspected)
    hot.on('tillwright:warnings', toolbar.warn)
    hot.on('tillwright:tools', toolbar.take)
    hot.send('tillwright:tools-wanted', {})
  }
  hot.on('tillwright:navigate', ({ path }) => showAddress(path))
  // A module that is still being loaded takes no update.
  let isOutdated = false
  hot.on('vite:beforeUpdate', () => void (isOutdated ||= document.readyState !== 'complete'))
  addEventListener('load', () => (isOutdated ? loadAgain() : calm.begin()))
  // Errors from before the update are gone, or will be reported again.
  function forgetErrors(): void {
    overlay.show('page', [])
    calm.renew()
  }
  hot.on('vite:beforeUpdate', ({ updates }) => {
    if (!updates.every(({ path }) => isStyle(path))) forgetErrors()
    forms.expectExchange()
    if (start.failed && areModulesSound) loadAgain()
  })
  // Components that the former update has broken may be gone, and take none any more.
  hot.on('vite:afterUpdate', ({ updates }) => {
    updatedMs = performance.now()
    if (!updates.every(({ path }) => isStyle(path))) calm.begin()
    const isGone = isBroken && (forms.isWaiting() || document.body.innerText.trim() === '')
    isBroken = false
    if (isGone || page.hasFailed()) restart()
  })
  hot.on('tillwright:restart', restart)
  document.addEventListener('tillwright:restart', restart)
  // Vite would look for the server from a worker made of a text, which no policy of a page allows; without it, from here.
  hot.on('vite:ws:disconnect', () => void Reflect.deleteProperty(window, 'SharedWorker'))
  const hello = () => {
    const { revision, updates } = ownData()
    hot.send('tillwright:hello', { revision, updates })
  }
  hot.on('vite:ws:connect', hello)
  hello()
  const page = pageRestart({
    leaving() {
      forms.release()
      forgetErrors()
      isBroken = false
      start.failed = false
      updatedMs = performance.now()
    },
    begun: calm.begin,
    failed: (error) => hot.send('tillwright:failure', failureOf(error)),
  })
  // Without a typed card, what only a document can show is loaded as it is when published.
  keepDocument(() => (forms.hasForm() ? page.restart() : Promise.resolve(false)))

  function restart(): void {
    if (start.failed && !forms.hasForm()) location.reload()
    else void page.restart().then((isDone) => isDone || location.reload())
  }
}

/** An error of a page does not come from its styles, and does not go with them. */
function isStyle(path: string): boolean {
  return /\.css(?:$|\?)/.test(path)
}

function editorPath(place: string): string {
  return encodeURIComponent(place.startsWith('/') ? place : `${ownData().root}/${place}`)
}
