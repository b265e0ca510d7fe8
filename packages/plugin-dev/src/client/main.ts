/// <reference types="vite/client" />
import { watchCardFields } from './card-fields.ts'
import { loadAgain, showAddress, takePlugin, unlessLeaving } from './live-data.ts'
import { createOverlay } from './overlay.ts'
import { ownData } from './own-data.ts'
import { openToolbar } from './toolbar/open-toolbar.ts'
import { watchErrors } from './page-errors.ts'
import { watchViolations } from './policy-violations.ts'

/**
 * What every page that is being written loads before its own modules, and no published page has: it shows what is wrong, and
 * takes over what is new.
 */
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
  // What went wrong before is not wrong any more, or will be told again.
  hot.on('vite:beforeUpdate', () => {
    overlay.show('page', [])
    if (start.failed && areModulesSound) loadAgain()
  })
  // Vite would look for the server from a worker made of a text, which no policy of a page allows; without it, from here.
  hot.on('vite:ws:disconnect', () => void Reflect.deleteProperty(window, 'SharedWorker'))
  hot.on('vite:ws:connect', () => hot.send('tillwright:hello', { revision: ownData().revision }))
  hot.send('tillwright:hello', { revision: ownData().revision })
}

function editorPath(place: string): string {
  return encodeURIComponent(place.startsWith('/') ? place : `${ownData().root}/${place}`)
}
