import type { Found, InspectedAuthentication, InspectedEvent, InspectedMessage, ShownProblem } from '../../protocol.ts'
import { redacted } from '../../redaction.ts'
import { element, emptyNote, fold, formatAmount, part } from './elements.ts'

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
    ...emptyNote(authentications, nothing),
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
      part('brief', fieldsOf(message)),
    ],
    values: [message],
  })
}

const parties: Readonly<Record<string, string>> = { server: '3DS server', directory: 'directory', issuer: 'bank' }

/** The fields by which an authentication is followed. Source: EMV 3DS 2.2.0. */
const shownFields = [
  'threeDSCompInd',
  'transStatus',
  'transStatusReason',
  'eci',
  'challengeCancel',
  'resultsStatus',
  'errorCode',
]

function fieldsOf(message: unknown): string {
  const fields = new Map(Object.entries(Object(message)))
  return shownFields.flatMap((name) => (fields.has(name) ? [`${name} ${String(fields.get(name))}`] : [])).join(' · ')
}

function allOf(href: string): HTMLElement {
  const link = element('a', { href, target: '_blank', rel: 'noopener' }, 'All sessions of the platform')
  return element('p', { className: 'note' }, link)
}

/** The tab with what has happened in the session, as the platform has it on record, the newest first. */
export function eventsTab(events: Found<InspectedEvent>): HTMLElement[] {
  const lines = events.items.map(({ id, type, at, properties }) =>
    fold({
      id: `event-${id}`,
      summary: [part('time', timeOf(at)), part(`path ${toneOf(type)}`, type), part('brief', summaryOf(properties))],
      values: [{ id, ...Object(properties) }],
    }),
  )
  return [...emptyNote(events, 'Nothing has happened yet.'), ...lines.toReversed()]
}

function timeOf(at: string): string {
  return new Date(at).toLocaleTimeString('en-GB')
}

function toneOf(type: string): string {
  if (/_(?:failed|past_due|lost)$/.test(type)) return 'bad'
  return /_(?:paid|succeeded|won)$/.test(type) ? 'good' : ''
}

/** The properties that tell events apart at a glance. */
const shownProperties = ['name', 'stepId', 'status', 'transStatus', 'brand', 'last4'] as const

function summaryOf(properties: unknown): string {
  const fields = new Map(Object.entries(Object(properties)))
  const [amount, currency] = [fields.get('amount'), fields.get('currency')]
  const money = typeof amount === 'number' && typeof currency === 'string' ? [formatAmount(amount, currency)] : []
  const words = shownProperties.flatMap((name) =>
    typeof fields.get(name) === 'string' ? [String(fields.get(name))] : [],
  )
  return [...money, ...words].join(' · ')
}

/** A request that the page has made to the platform. */
export interface ApiCall {
  /** Counts the calls of the page from 1. */
  number: number
  method: string
  path: string
  /** 0 if there was no answer. */
  status: number
  tookMs: number
  sent: unknown
  answered: unknown
}

/** So many are kept. */
const CALLS_MAX = 50

/**
 * Records the page's requests to the platform, with secrets redacted. Call it before the page's own modules run.
 *
 * @param isApi Whether an address is one of the platform's.
 * @param changed Called with all of them, the newest first, after each answer.
 */
export function watchApiCalls(isApi: (url: URL) => boolean, changed: (calls: readonly ApiCall[]) => void): void {
  const calls: ApiCall[] = []
  let count = 0
  const send = window.fetch.bind(window)
  window.fetch = async (input, init) => {
    const url = new URL(input instanceof Request ? input.url : input, location.href)
    if (!isApi(url)) return send(input, init)
    const startedMs = performance.now()
    const keep = (status: number, answered: unknown) => {
      const method = init?.method ?? 'GET'
      const path = url.pathname.replace('/__tillwright/api', '')
      const tookMs = Math.round(performance.now() - startedMs)
      count += 1
      calls.unshift({ number: count, method, path, status, tookMs, sent: redacted(parsedBody(init?.body)), answered })
      calls.splice(CALLS_MAX)
      changed(calls)
    }
    try {
      const response = await send(input, init)
      void response
        .clone()
        .text()
        .then(
          (text) => keep(response.status, redacted(parsedBody(text))),
          () => {},
        )
      return response
    } catch (error) {
      keep(0, String(error))
      throw error
    }
  }
}

function parsedBody(text: unknown): unknown {
  try {
    return typeof text === 'string' && text !== '' ? JSON.parse(text) : null
  } catch {
    return null
  }
}

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

/** A list of the problems that do not stop the plugin from working; empty if there are none. */
export function warningList(warnings: readonly ShownProblem[]): HTMLElement[] {
  const items = warnings.map((warning) => {
    const { file, column, rule, fix } = warning
    const where = element('span', { className: 'where' }, `${file}:${warning.line}:${column}`)
    return element('li', {}, where, ` ${rule} ${fix}`)
  })
  return items.length === 0 ? [] : [element('ul', { className: 'warnings' }, ...items)]
}
