import { createHash } from 'node:crypto'
import { decimalsOf } from '@tillwright/contract/decimals'
import { brandTitle } from '@tillwright/contract/networks'
import { tokensCss } from '@tillwright/design-tokens'
import type { Party, TimelineSession, TranscriptEntry } from '@tillwright/emv-3ds'
import type { BankPage } from './bank-page.ts'
import { html, type Html } from './html.ts'
import { writtenAmount } from './language.ts'

/** Styles of the timelines, light and dark: one column that also fits a phone. */
const timelineStyle = `
${tokensCss(['canvas', 'surface', 'ink', 'ink-soft', 'line', 'line-strong', 'accent', 'accent-ink', 'good', 'bad', 'wait', 'calm', 'font', 'mono', 'corner'])}
* { box-sizing: border-box; }
body { margin: 0; background: var(--canvas); color: var(--ink); font: 15px/1.45 var(--font); }
main { max-width: 880px; margin: 0 auto; padding: 24px 16px 48px; }
h1 { margin: 0 0 4px; font-size: 22px; line-height: 1.25; }
p { margin: 0 0 16px; color: var(--ink-soft); }
a { color: var(--accent); }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
code, pre { font: 13px/1.5 var(--mono); }
dl { display: grid; grid-template-columns: max-content 1fr; gap: 2px 16px; margin: 0 0 20px; }
dt { color: var(--ink-soft); }
dd { margin: 0; overflow-wrap: anywhere; }
ol { list-style: none; margin: 0; padding: 0 0 0 14px; border-left: 2px solid var(--line); }
li { position: relative; margin: 0 0 10px; }
li::before {
  content: ''; position: absolute; left: -20px; top: 17px; width: 10px; height: 10px; border-radius: 50%;
  background: var(--accent); border: 2px solid var(--canvas);
}
details, li > a { display: block; border: 1px solid var(--line); border-radius: var(--corner); background: var(--surface); }
summary, li > a { min-height: 44px; padding: 9px 14px; }
summary { cursor: pointer; }
li > a { color: inherit; text-decoration: none; }
li > a strong { text-decoration: underline; }
summary strong, li > a strong { margin-right: 8px; }
summary span, summary time, li > a span, li > a time { color: var(--ink-soft); }
summary time, li > a time { float: right; margin-left: 12px; font-variant-numeric: tabular-nums; }
.authenticated, .attempted { --tone: var(--good); }
.failed, .rejected { --tone: var(--bad); }
.cancelled, .timed_out, .unavailable { --tone: var(--wait); }
.pending, .informational { --tone: var(--calm); }
li:is(.authenticated, .attempted, .failed, .rejected, .cancelled, .timed_out, .unavailable, .pending, .informational)::before {
  background: var(--tone);
}
.badge { color: var(--tone, var(--ink)); }
.badge::before { content: '●' / ''; margin-inline-end: 6px; }
.amount { font-weight: 600; font-variant-numeric: tabular-nums; }
li > a .amount { margin-inline-end: 8px; color: var(--ink); }
form { display: flex; align-items: center; gap: 8px; margin: 12px 0 16px; }
input, button { min-height: 44px; border: 1px solid var(--line-strong); border-radius: var(--corner); font: inherit; }
input { flex: 1; min-width: 0; padding: 0 12px; background: transparent; color: inherit; }
input::placeholder { color: var(--ink-soft); opacity: 1; }
button { padding: 0 16px; background: var(--surface); color: inherit; cursor: pointer; }
.facts { display: block; overflow-wrap: anywhere; }
pre { margin: 0; padding: 12px 14px; border-top: 1px solid var(--line); white-space: pre-wrap; overflow-wrap: anywhere; }
@media (max-width: 480px) { li > a time { float: none; display: block; margin: 0; } }
`

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
  return writtenAmount({ digits: minor, currency, exponent: decimalsOf(currency) }, { tag: 'en', direction: 'ltr' })
}

function cardText({ card }: TimelineSession): string | null {
  return card === null ? null : `${brandTitle(card.brand)} •••• ${card.last4}`
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
