import { createHash } from 'node:crypto'
import type { Party, TimelineSession, TranscriptEntry } from '@tillwright/emv-3ds'
import type { BankPage } from './bank-page.ts'
import { html, type Html } from './html.ts'
import { timelineStyle } from './timeline-style.ts'

/** What a timeline tells of: a session and its messages in their order, and where all sessions are listed. */
export interface Timeline {
  session: TimelineSession
  transcript: readonly TranscriptEntry[]
  /** `null` where they are not. */
  listUrl: string | null
}

/** The messages of a session one below the other, each with who sent it to whom and when, and itself where it is opened. */
export function timelinePage({ session, transcript, listUrl }: Timeline): BankPage {
  const { id, externalSessionId, paymentId, createdAtMs, provider, status, outcome } = session
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
        <dd>${outcome} (${status})</dd>
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
  const told = facts(message)
  return html`<li>
    <details>
      <summary>
        <time datetime="${at}">+${((Date.parse(at) - createdAtMs) / 1_000).toFixed(3)} s</time>
        <strong>${type}</strong><span>${parties[from]} → ${parties[to]}</span>
        ${told === '' ? null : html`<span class="facts">${told}</span>`}
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

/** The fields by which an authentication is followed. Source: EMV 3DS 2.2.0. */
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

/** The latest sessions, the newest first, each leading to its timeline. */
export function timelinesPage(sessions: readonly TimelineSession[]): BankPage {
  const lines = sessions.map((session) => sessionLine(session))
  return timelineDocument(
    '3-D Secure sessions',
    html`<main>
      <h1>3-D Secure sessions</h1>
      <p>
        ${
          sessions.length === 0
            ? 'There is none yet: pay with a card that asks for a code.'
            : 'The latest, the newest first.'
        }
      </p>
      <ol>
        ${lines.reduce((before, each) => html`${before}${each}`, html``)}
      </ol>
    </main>`,
  )
}

function sessionLine(session: TimelineSession): Html {
  const { externalSessionId, id, paymentId, outcome, createdAtMs } = session
  const created = new Date(createdAtMs).toISOString()
  return html`<li>
    <a href="/acs/timeline/${externalSessionId}">
      <time datetime="${created}">${created.slice(0, 19).replace('T', ' ')}</time>
      <strong>${outcome}</strong><span class="facts">${paymentId ?? id}</span>
    </a>
  </li>`
}

const styleHash = createHash('sha256').update(timelineStyle).digest('base64')

const timelineHeaders = {
  'Content-Type': 'text/html; charset=utf-8',
  'Content-Security-Policy': `default-src 'none'; style-src 'sha256-${styleHash}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
  'Cache-Control': 'no-store',
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
} as const

/** A page for whoever looks into authentications: it runs nothing, loads nothing and stands in no other page. */
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

/** The text of messages without the proofs of authentications, in messages that are text themselves too. */
export function withoutProof(text: string): string {
  return text.replaceAll(/(authenticationValue\\?"\s*:\s*\\?")[^"\\]*/g, '$1(left out)')
}
