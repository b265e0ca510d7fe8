import type { BuyerSession } from '@tillwright/contract'
import type { ToolbarData } from '../../toolbar-data.ts'
import { element } from './element.ts'
import { redacted } from './redacted.ts'
import { isPaid, snapshotOf, type Snapshot } from './snapshot.ts'

/** What the session's tab shows, and what it can do. */
export interface SessionTab {
  data: ToolbarData
  /** `null` until it was read. */
  session: BuyerSession | null
  snapshots: readonly Snapshot[]
  goTo: (stepId: string) => void
  keep: (snapshot: Snapshot) => void
  restore: (snapshot: Snapshot) => void
  forget: (snapshot: Snapshot) => void
}

/** The tab that shows the session: its steps, what it knows, and snapshots of it. */
export function sessionTab(tab: SessionTab): HTMLElement[] {
  const { data, session } = tab
  const steps = data.steps.map(({ id, name }) => {
    const button = element('button', { textContent: name, onclick: () => tab.goTo(id) })
    if (session?.step?.id === id) button.setAttribute('aria-current', 'step')
    return button
  })
  return [
    element('h2', { textContent: 'Steps' }),
    element('div', { className: 'steps' }, ...steps),
    element('h2', { textContent: 'Session' }),
    facts(data, session),
    element('h2', { textContent: 'Snapshots' }),
    ...snapshots(tab),
    element('h2', { textContent: 'As the page sees it' }),
    element('pre', { textContent: JSON.stringify(redacted(session), null, 2), tabIndex: 0 }),
  ]
}

function facts({ sessionId, timelinesUrl }: ToolbarData, session: BuyerSession | null): HTMLElement {
  const { order } = session ?? { order: null }
  const rows: [string, Node | string][] = [
    ['Id', sessionId],
    ['Order', order === null ? 'none' : orderLine(order)],
  ]
  if (timelinesUrl !== null) {
    rows.push(['3-D Secure', element('a', { href: timelinesUrl, target: '_blank', rel: 'noopener' }, 'What went by')])
  }
  return element('dl', {}, ...rows.flatMap(([name, value]) => [element('dt', {}, name), element('dd', {}, value)]))
}

function orderLine({ status, lines, amount, currency }: NonNullable<BuyerSession['order']>): string {
  const money = new Intl.NumberFormat('en', { style: 'currency', currency })
  const digits = money.resolvedOptions().maximumFractionDigits ?? 2
  return `${status}, ${lines.length} ${lines.length === 1 ? 'line' : 'lines'}, ${money.format(amount / 10 ** digits)}`
}

function snapshots({ data, session, snapshots: kept, keep, restore, forget }: SessionTab): HTMLElement[] {
  if (session === null) return []
  const paid = isPaid(session)
  const take = element('button', {
    textContent: 'Take a snapshot',
    disabled: paid,
    onclick: () => keep(snapshotOf(session, data.scenario)),
  })
  const note = paid
    ? 'What was paid cannot be brought back: begin a session, and take it before the payment.'
    : 'Lines, codes, contact, address and step; restoring begins a session with them.'
  return [
    take,
    element('p', { className: 'note', textContent: note }),
    ...kept.map((snapshot) =>
      element(
        'p',
        { className: 'row' },
        element('button', {
          textContent: `Restore ${new Date(snapshot.takenAt).toLocaleTimeString()}`,
          onclick: () => restore(snapshot),
        }),
        element('button', { textContent: 'Forget', onclick: () => forget(snapshot) }),
      ),
    ),
  ]
}
