import type { Found, InspectedAuthentication, InspectedMessage } from '../../inspect/inspection.ts'
import { element } from './element.ts'
import { fold, part } from './fold.ts'
import { missingNote } from './missing-note.ts'

/**
 * The tab with the messages of EMV 3DS that went by for the session's payments.
 *
 * @param timelinesUrl Where those of all sessions can be read; `null` where the platform shows none.
 */
export function threedsTab(
  authentications: Found<InspectedAuthentication>,
  timelinesUrl: string | null,
): HTMLElement[] {
  const nothing = 'No payment of this session has been authenticated. A scenario with 3-D Secure has the next one be.'
  return [
    ...missingNote(authentications, nothing),
    ...authentications.items.flatMap(authentication).toReversed(),
    ...(timelinesUrl === null ? [] : [allOf(timelinesUrl)]),
  ]
}

function authentication({ id, status, outcome, messages }: InspectedAuthentication): HTMLElement {
  const tone = /^(?:authenticated|attempted)$/.test(outcome) ? 'good' : outcome === 'pending' ? '' : 'bad'
  const none = 'Its provider shows no messages.'
  return element(
    'section',
    { className: 'authentication', 'aria-label': `3-D Secure session ${id}` },
    element('h2', {}, element('b', { className: tone, textContent: outcome }), ` ${status}`),
    element('p', { className: 'id', textContent: id }),
    ...(messages.length === 0 ? [element('p', { className: 'note', textContent: none })] : []),
    ...messages.map((message) => line(id, message)),
  )
}

function line(id: string, { position, afterMs, type, from, to, message }: InspectedMessage): HTMLElement {
  return fold({
    id: `message-${id}-${position}`,
    summary: [
      part('time', `+${(afterMs / 1_000).toFixed(3)}`),
      part('type', type),
      part('path', `${parties[from] ?? from} → ${parties[to] ?? to}`),
      part('brief', facts(message)),
    ],
    values: [message],
  })
}

const parties: Readonly<Record<string, string>> = { server: '3DS server', directory: 'directory', issuer: 'bank' }

/** The fields by which an authentication is followed. Source: EMV 3DS 2.2.0. */
const telling = [
  'threeDSCompInd',
  'transStatus',
  'transStatusReason',
  'eci',
  'challengeCancel',
  'resultsStatus',
  'errorCode',
]

function facts(message: unknown): string {
  const fields = new Map(Object.entries(Object(message)))
  return telling.flatMap((name) => (fields.has(name) ? [`${name} ${String(fields.get(name))}`] : [])).join(' · ')
}

function allOf(href: string): HTMLElement {
  const link = element('a', { href, target: '_blank', rel: 'noopener' }, 'All sessions of the platform')
  return element('p', { className: 'note' }, link)
}
