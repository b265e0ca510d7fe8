import { outcomeOf, statusAt } from '../../threeds-status.ts'
import type { SessionRecord } from '../../session-record.ts'
import type { Party, TranscriptEntry } from '../../transcript.ts'
import type { AcsPage } from './acs-page.ts'
import { html, type Html } from './html.ts'
import { timelineDocument } from './timeline-document.ts'
import { withoutProof } from './without-proof.ts'

/** What a timeline tells of: a session, its messages in their order, and the time; and where all sessions are listed. */
export interface Timeline {
  session: SessionRecord
  transcript: readonly TranscriptEntry[]
  nowMs: number
  /** `null` where they are not. */
  listUrl: string | null
}

/** The messages of a session one below the other, each with who sent it to whom and when, and itself where it is opened. */
export function timelinePage({ session, transcript, nowMs, listUrl }: Timeline): AcsPage {
  const { id, externalSessionId, paymentId, createdAtMs, provider } = session
  const status = statusAt(session, nowMs)
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
        <dd>${outcomeOf(status)} (${status})</dd>
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
