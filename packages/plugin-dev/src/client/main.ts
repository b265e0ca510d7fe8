/// <reference types="vite/client" />
import type { ViteHotContext } from 'vite/types/hot.d.ts'
import { takeChanges } from './changes.ts'
import { greetServer } from './connection.ts'
import { watchHealth } from './health.ts'
import { ownData } from './live-data.ts'
import { createOverlay, type Overlay } from './overlay.ts'
import { openToolbar } from './toolbar/toolbar.ts'
import { watchCardFields } from './watchers.ts'

/** Loaded by every page of a dev server before its own modules: shows problems, and applies changes. */
// Written out, since Vite looks for these very words.
const hot = import.meta.hot
if (hot !== undefined) {
  const health = watchHealth(hot)
  const overlay = createOverlay(openInEditor)
  showProblems(hot, overlay)
  if (ownData().toolbar === 'corner') connectToolbar(hot)
  greetServer(hot)
  takeChanges(hot, { health, hideErrors: () => overlay.show('page', []) })
}

function openInEditor(place: string): void {
  const path = place.startsWith('/') ? place : `${ownData().root}/${place}`
  void fetch(`${import.meta.env.BASE_URL}__open-in-editor?file=${encodeURIComponent(path)}`)
}

/** So many errors of a page are shown. */
const PAGE_ERRORS_MAX = 10

/** Shows what the server knows to be wrong, and inputs that would take a card. */
function showProblems(server: ViteHotContext, overlay: Overlay): void {
  server.on('tillwright:problems', (problems) => overlay.show('plugin', problems))
  server.on('tillwright:page-error', (problem) => {
    const isOther = (each: object) => JSON.stringify(each) !== JSON.stringify(problem)
    overlay.show('page', [...overlay.of('page').filter(isOther), problem].slice(-PAGE_ERRORS_MAX))
  })
  watchCardFields((problems) => overlay.show('inputs', problems))
}

function connectToolbar(server: ViteHotContext): void {
  const toolbar = openToolbar({
    begin: (scenario) => server.send('tillwright:begin', { scenario }),
    inspect: (paymentId) => server.send('tillwright:inspect', { paymentId }),
    leave: () => server.send('tillwright:inspect-no-more', {}),
  })
  server.on('tillwright:inspected', toolbar.inspected)
  server.on('tillwright:warnings', toolbar.warn)
  server.on('tillwright:tools', toolbar.take)
  server.send('tillwright:tools-wanted', {})
}
