import type { ApiCall } from './api-calls.ts'
import { element } from './element.ts'
import { fold, part } from './fold.ts'

/** The tab with the page's requests to the platform, the newest first. */
export function callsTab(calls: readonly ApiCall[]): HTMLElement[] {
  if (calls.length === 0) return [element('p', { className: 'note', textContent: 'The page has asked nothing yet.' })]
  return calls.map(({ number, method, path, status, tookMs, sent, answered }) => {
    const tone = status >= 200 && status < 400 ? 'good' : 'bad'
    return fold({
      id: `call-${number}`,
      summary: [part(tone, String(status || 'lost')), part('path', `${method} ${path}`), part('time', `${tookMs} ms`)],
      values: sent === null ? [answered] : [sent, answered],
    })
  })
}
