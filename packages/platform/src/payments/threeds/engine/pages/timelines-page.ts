import { outcomeOf, statusAt } from '../../threeds-status.ts'
import type { SessionRecord } from '../../session-record.ts'
import type { AcsPage } from './acs-page.ts'
import { html, type Html } from './html.ts'
import { timelineDocument } from './timeline-document.ts'

/** The latest sessions, the newest first, each leading to its timeline. */
export function timelinesPage(sessions: readonly SessionRecord[], nowMs: number): AcsPage {
  const lines = sessions.map((session) => line(session, nowMs))
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

function line(session: SessionRecord, nowMs: number): Html {
  const { externalSessionId, id, paymentId, createdAtMs } = session
  const created = new Date(createdAtMs).toISOString()
  return html`<li>
    <a href="/acs/timeline/${externalSessionId}">
      <time datetime="${created}">${created.slice(0, 19).replace('T', ' ')}</time>
      <strong>${outcomeOf(statusAt(session, nowMs))}</strong><span class="facts">${paymentId ?? id}</span>
    </a>
  </li>`
}
