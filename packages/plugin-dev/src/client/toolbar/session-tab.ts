import type { BuyerSession } from '@tillwright/contract'
import type { Found, InspectedPayment } from '../../inspect/inspection.ts'
import type { ToolbarData } from '../../toolbar-data.ts'
import { element } from './element.ts'
import { fold, part } from './fold.ts'
import { redacted } from '../../inspect/redacted.ts'
import { isPaid, snapshotOf, type Snapshot } from './snapshot.ts'
import { writtenAmount } from './written-amount.ts'

/** What the session's tab shows, and what it can do. */
export interface SessionTab {
  data: ToolbarData
  /** `null` until it was read. */
  session: BuyerSession | null
  payments: Found<InspectedPayment>
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
    ...resources(session, tab.payments),
    element('h2', { textContent: 'Snapshots' }),
    ...snapshots(tab),
  ]
}

function facts({ sessionId }: ToolbarData, session: BuyerSession | null): HTMLElement {
  const { order } = session ?? { order: null }
  const rows = [
    ['Id', sessionId],
    ['Order', order === null ? 'none' : orderLine(order)],
  ] as const
  return element('dl', {}, ...rows.flatMap(([name, value]) => [element('dt', {}, name), element('dd', {}, value)]))
}

function orderLine({ status, lines, amount, currency }: NonNullable<BuyerSession['order']>): string {
  return `${status}, ${lines.length} ${lines.length === 1 ? 'line' : 'lines'}, ${writtenAmount(amount, currency)}`
}

/** What the session consists of, as the page is told it, and its payments as the platform has them. */
function resources(session: BuyerSession | null, payments: Found<InspectedPayment>): HTMLElement[] {
  if (session === null) return []
  const { order, customer, payment, expiresAt: _, ...rest } = session // which looking at it has just put off
  const known = payments.items.length > 0 ? payments.items : payment === null ? [] : [{ ...payment, resource: payment }]
  return [
    resource('Session', { about: rest.step?.name ?? '', value: rest }),
    resource('Order', { about: order.status, value: order }),
    resource('Customer', { about: customer.id, value: customer }),
    ...known.map(({ id, status, resource: value }) => resource('Payment', { id, about: status, value })),
    ...(payments.missing === null ? [] : [element('p', { className: 'note', textContent: payments.missing })]),
  ]
}

function resource(name: string, { id = name, about, value }: { id?: string; about: string; value: unknown }) {
  return fold({
    id: `resource-${id}`,
    summary: [part('type', name), part('path', about)],
    values: [redacted(value)],
  })
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
