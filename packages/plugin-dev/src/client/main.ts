/// <reference types="vite/client" />
import { loadAgain, ownData, showAddress, takePlugin, unlessLeaving } from './live-data.ts'
import { createOverlay } from './overlay.ts'
import { openToolbar } from './toolbar/toolbar.ts'
import { watchCardFields, watchErrors, watchViolations } from './watchers.ts'

/** Loaded by every page of a dev server before its own modules: shows problems, and applies changes. */
// Written out, since Vite looks for these very words.
const hot = import.meta.hot
if (hot !== undefined) {
  const overlay = createOverlay(
    (place) => void fetch(`${import.meta.env.BASE_URL}__open-in-editor?file=${editorPath(place)}`),
  )
  const start = watchErrors((failure) => hot.send('tillwright:failure', failure))
  watchViolations((violation) => hot.send('tillwright:violation', violation))
  watchCardFields((problems) => overlay.show('inputs', problems))
  hot.on('tillwright:problems', (problems) => {
    overlay.show('plugin', problems)
    if (problems.length === 0 && start.failed) loadAgain()
  })
  let areModulesSound = true
  hot.on('tillwright:modules', ({ areSound }) => {
    areModulesSound = areSound
    if (areSound && start.failed) loadAgain()
  })
  hot.on('vite:beforeFullReload', unlessLeaving)
  hot.on('tillwright:page-error', (problem) => overlay.show('page', [...overlay.of('page'), problem].slice(-10)))
  hot.on('tillwright:plugin', takePlugin)
  if (ownData().toolbar === 'corner') {
    const toolbar = openToolbar({
      begin: (scenario) => hot.send('tillwright:begin', { scenario }),
      inspect: (paymentId) => hot.send('tillwright:inspect', { paymentId }),
      leave: () => hot.send('tillwright:inspect-no-more', {}),
    })
    hot.on('tillwright:inspected', toolbar.inspected)
    hot.on('tillwright:tools', toolbar.take)
    hot.send('tillwright:tools-wanted', {})
  }
  hot.on('tillwright:navigate', ({ path }) => showAddress(path))
  // A module that is still being loaded takes no update.
  let isOutdated = false
  hot.on('vite:beforeUpdate', () => void (isOutdated ||= document.readyState !== 'complete'))
  addEventListener('load', () => isOutdated && loadAgain())
  // Errors from before the update are gone, or will be reported again.
  hot.on('vite:beforeUpdate', () => {
    overlay.show('page', [])
    if (start.failed && areModulesSound) loadAgain()
  })
  // Vite would look for the server from a worker made of a text, which no policy of a page allows; without it, from here.
  hot.on('vite:ws:disconnect', () => void Reflect.deleteProperty(window, 'SharedWorker'))
  const hello = () => {
    const { revision, updates } = ownData()
    hot.send('tillwright:hello', { revision, updates })
  }
  hot.on('vite:ws:connect', hello)
  hello()
}

function editorPath(place: string): string {
  return encodeURIComponent(place.startsWith('/') ? place : `${ownData().root}/${place}`)
}
