import type { ApiCall } from './api-calls.ts'
import { element } from './element.ts'

/** The tab with the page's requests to the platform, the newest first. */
export function callsTab(calls: readonly ApiCall[]): HTMLElement[] {
  if (calls.length === 0) return [element('p', { className: 'note', textContent: 'The page has asked nothing yet.' })]
  return calls.map(({ method, path, status, tookMs, sent, answered }) => {
    const tone = status >= 200 && status < 400 ? 'good' : 'bad'
    return element(
      'details',
      {},
      element(
        'summary',
        {},
        element('span', { className: tone, textContent: String(status || 'lost') }),
        element('span', { className: 'path', textContent: `${method} ${path}`, title: path }),
        element('span', { textContent: `${tookMs} ms` }),
      ),
      ...(sent === null ? [] : [element('pre', { textContent: JSON.stringify(sent, null, 2), tabIndex: 0 })]),
      element('pre', { textContent: JSON.stringify(answered, null, 2), tabIndex: 0 }),
    )
  })
}
