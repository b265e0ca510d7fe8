import { createHash } from 'node:crypto'
import type { Party, TimelineSession, TranscriptEntry } from '@tillwright/emv-3ds'
import type { BankPage } from './bank-page.ts'
import { html, type Html } from './html.ts'
import { writtenAmount } from './language.ts'
import { networkNames } from './challenge-pages.ts'
import { timelineStyle } from './timeline-style.ts'

/** A session, its messages in order, and the URL of the list of all sessions. */
export interface Timeline {
  session: TimelineSession
  transcript: readonly TranscriptEntry[]
  /** `null` if sessions are not listed. */
  listUrl: string | null
}

/** Lists the messages of a session: sender, receiver, time, and the full message when expanded. */
export function timelinePage({ session, transcript, listUrl }: Timeline): BankPage {
  const { id, externalSessionId, paymentId, createdAtMs, provider, status, outcome } = session
  const amount = amountText(session)
  const card = cardText(session)
  return timelineDocument(
    `3-D Secure session ${id}`,
    html`<main>
      <h1>3-D Secure session</h1>
      <p>
        ${transcript.length === 1 ? '1 message' : `${transcript.length} messages`}, without card number and proof.
        <a href="/acs/timeline/${externalSessionId}/transcript.json">Download as JSON</a>
        ${listUrl === null ? null : html` · <a href="${listUrl}">All sessions</a>`}
      </p>
      <dl>
        <dt>Session</dt>
        <dd>${id}</dd>
        <dt>Payment</dt>
        <dd>${paymentId ?? 'none'}</dd>
        <dt>Outcome</dt>
        <dd>${badge(outcome)} (${status})</dd>
        <dt>Amount</dt>
        <dd>${amount ?? 'none yet'}</dd>
        <dt>Card</dt>
        <dd>${card ?? 'none'}</dd>
        <dt>Provider</dt>
        <dd>${provider}</dd>
        <dt>Created</dt>
        <dd>${timeOf(createdAtMs)}</dd>
      </dl>
      <ol>
        ${all(transcript.map((entry) => line(entry, createdAtMs)))}
      </ol>
    </main>`,
  )
}

function line({ at, from, to, type, message }: TranscriptEntry, createdAtMs: number): Html {
  const summary = facts(message)
  return html`<li>
    <details>
      <summary>
        <time datetime="${at}">+${((Date.parse(at) - createdAtMs) / 1_000).toFixed(3)} s</time>
        <strong>${type}</strong><span>${parties[from]} → ${parties[to]}</span>
        ${summary === '' ? null : html`<span class="facts">${summary}</span>`}
      </summary>
      <pre tabindex="0">${withoutProof(typeof message === 'string' ? message : JSON.stringify(message, null, 2))}</pre>
    </details>
  </li>`
}

const parties: Readonly<Record<Party, string>> = {
  server: '3DS server',
  directory: 'directory server',
  issuer: 'bank',
  browser: 'browser',
}

/** The fields shown in the summary of a message. Source: EMV 3DS 2.2.0. */
const telling = [
  'threeDSCompInd',
  'transStatus',
  'transStatusReason',
  'eci',
  'challengeWindowSize',
  'challengeCancel',
  'interactionCounter',
  'resultsStatus',
  'errorCode',
  'errorDetail',
] as const

function facts(message: unknown): string {
  const fields = new Map(Object.entries(Object(message)))
  return telling.flatMap((name) => (fields.has(name) ? [`${name} ${String(fields.get(name))}`] : [])).join(', ')
}

function timeOf(timeMs: number): Html {
  const time = new Date(timeMs).toISOString()
  return html`<time datetime="${time}">${time}</time>`
}

function all(pieces: readonly Html[]): Html {
  return pieces.reduce((before, piece) => html`${before}${piece}`, html``)
}

/** Maximum number of sessions on the page. */
const SHOWN_MAX = 50

/**
 * Lists the latest sessions that match the search, newest first, with links to their timelines.
 *
 * @param wanted Search words. A session matches if each of them occurs in its ids, outcome, status, amount, or card.
 */
export function timelinesPage(sessions: readonly TimelineSession[], wanted: string): BankPage {
  const words = wanted.toLowerCase().split(/\s+/).filter(Boolean)
  const found = sessions.filter((session) => words.every((word) => searchable(session).includes(word)))
  return timelineDocument(
    '3-D Secure sessions',
    html`<main>
      <h1>3-D Secure sessions</h1>
      <form role="search">
        <input name="q" type="search" aria-label="Search" value="${wanted}" placeholder="Id, outcome, amount, card" />
        <button>Search</button>
      </form>
      <p>${listText({ all: sessions.length, found: found.length, wanted })}</p>
      <ol>
        ${all(found.slice(0, SHOWN_MAX).map(sessionLine))}
      </ol>
    </main>`,
  )
}

function listText({ all: count, found, wanted }: { all: number; found: number; wanted: string }): Html {
  if (count === 0) return html`There is none yet: pay with a card that asks for a code.`
  const every = html`<a href="/acs/timeline">All sessions</a>`
  if (wanted !== '' && found === 0) return html`No session has “${wanted}” in it. ${every}`
  const shown = found > SHOWN_MAX ? `${SHOWN_MAX} of ${found}` : found
  return wanted === ''
    ? html`The latest, the newest first: ${shown}.`
    : html`Found: ${shown}, the newest first. ${every}`
}

function searchable(session: TimelineSession): string {
  const { id, externalSessionId, paymentId, outcome, status, amount } = session
  const more = [paymentId, amountText(session), amount?.minor, amount?.currency, cardText(session)]
  return [id, externalSessionId, outcome, status, ...more].join(' ').toLowerCase()
}

function sessionLine(session: TimelineSession): Html {
  const { externalSessionId, id, paymentId, outcome, createdAtMs } = session
  const created = new Date(createdAtMs).toISOString()
  const amount = amountText(session)
  const card = cardText(session)
  return html`<li class="${outcome}">
    <a href="/acs/timeline/${externalSessionId}">
      <time datetime="${created}">${created.slice(0, 19).replace('T', ' ')}</time>
      ${badge(outcome)} ${amount === null ? null : html`<span class="amount">${amount}</span>`}
      ${card === null ? null : html`<span>${card}</span>`}<span class="facts">${paymentId ?? id}</span>
    </a>
  </li>`
}

/** An outcome, marked by a colour and in words. */
function badge(outcome: string): Html {
  return html`<strong class="badge ${outcome}">${outcome}</strong>`
}

function amountText({ amount }: TimelineSession): string | null {
  if (amount === null) return null
  const { currency, minor } = amount
  const { maximumFractionDigits: exponent = 2 } = new Intl.NumberFormat('en', {
    style: 'currency',
    currency,
  }).resolvedOptions()
  return writtenAmount({ digits: minor, currency, exponent }, { tag: 'en', direction: 'ltr' })
}

function cardText({ card }: TimelineSession): string | null {
  return card === null ? null : `${networkNames.get(card.brand) ?? card.brand} •••• ${card.last4}`
}

const styleHash = createHash('sha256').update(timelineStyle).digest('base64')

const timelineHeaders = {
  'Content-Type': 'text/html; charset=utf-8',
  'Content-Security-Policy': `default-src 'none'; style-src 'sha256-${styleHash}'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'`,
  'Cache-Control': 'no-store',
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
} as const

/** A page for inspecting authentications. Its policy forbids scripts, external resources, and framing. */
function timelineDocument(title: string, body: Html): BankPage {
  const document = html`<!doctype html>
    <html lang="en">
      <meta charset="utf-8" />
      <meta name="viewport" content="width=device-width" />
      <title>${title}</title>
     `
  return {
    status: 200,
    headers: timelineHeaders,
    body: `${document.text}<style>${timelineStyle}</style>\n<body>\n${body.text}\n</body>\n</html>\n`,
  }
}

/** The text of a message with authentication values removed, including those in messages that were recorded as text. */
export function withoutProof(text: string): string {
  return text.replaceAll(/(authenticationValue\\?"\s*:\s*\\?")[^"\\]*/g, '$1(left out)')
}
