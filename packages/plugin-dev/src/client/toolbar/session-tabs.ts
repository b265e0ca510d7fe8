import type { BuyerSession } from '@tillwright/contract'
import type { Found, InspectedPayment, ToolbarData } from '../../protocol.ts'
import { redacted } from '../../redaction.ts'
import type { Scenario } from '../../scenarios/index.ts'
import { element, fold, formatAmount, part } from './elements.ts'
import { isPaid, type Snapshot, snapshotOf } from './snapshot.ts'

/** The data and actions of the session's tab. */
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
    sessionFacts(data, session),
    ...resources(session, tab.payments),
    element('h2', { textContent: 'Snapshots' }),
    ...snapshots(tab),
  ]
}

function sessionFacts({ sessionId }: ToolbarData, session: BuyerSession | null): HTMLElement {
  const { order } = session ?? { order: null }
  const rows = [
    ['Id', sessionId],
    ['Order', order === null ? 'none' : orderLine(order)],
  ] as const
  return element('dl', {}, ...rows.flatMap(([name, value]) => [element('dt', {}, name), element('dd', {}, value)]))
}

function orderLine({ status, lines, amount, currency }: NonNullable<BuyerSession['order']>): string {
  return `${status}, ${lines.length} ${lines.length === 1 ? 'line' : 'lines'}, ${formatAmount(amount, currency)}`
}

/** The resources of the session as its page sees them, and its payments as the platform has them. */
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

/** The fields of a scenario that the form offers. */
type Field = 'preset' | 'card' | 'currency' | 'locale' | 'country' | 'threeds' | 'viewport'

const currencies = ['USD', 'EUR', 'GBP']
const locales = ['en-US', 'de-DE', 'fr-FR', 'es-ES', 'ar']
const countries = ['US', 'DE', 'FR', 'ES', 'GB', 'AE']
const challenges = ['frictionless', 'challenge', 'fail', 'none']

/** The tab that begins a session in another situation. */
export function scenarioTab(data: ToolbarData, begin: (scenario: Scenario) => void): HTMLElement[] {
  const { scenario, scenarios } = data
  const chosen = new Map<Field, HTMLSelectElement>()
  const field = (name: Field, label: string, choices: readonly string[]) => {
    const select = selectOf(['', ...choices], String(Object(scenario)[name] ?? ''))
    chosen.set(name, select)
    return element('label', {}, label, select)
  }
  const named = selectOf(['', ...scenarios.map(({ name }) => name)], scenario.name)
  named.addEventListener('change', () => {
    const found = scenarios.find(({ name }) => name === named.value)
    if (found !== undefined) begin(found)
  })
  const sizes = selectOf(['', ...Object.keys(data.windows)], '')
  sizes.addEventListener('change', () => openWindow(data.windows[sizes.value]))
  return [
    element(
      'div',
      { className: 'grid' },
      element('label', { className: 'wide' }, 'Scenario', named),
      field('card', 'Card', data.cards),
      field('threeds', '3-D Secure', challenges),
      field('currency', 'Currency', currencies),
      field('locale', 'Language', locales),
      field('country', 'Country', countries),
      field('preset', 'Preset', data.presets),
      element('label', {}, 'Open in a window', sizes),
      element('button', {
        className: 'main wide',
        textContent: 'Begin this session',
        onclick: () => begin(scenarioOf(scenario, chosen)),
      }),
    ),
  ]
}

/** The scenario as it was, with what was chosen instead. */
function scenarioOf(before: Scenario, chosen: ReadonlyMap<Field, HTMLSelectElement>): Scenario {
  const kept: Record<string, unknown> = { ...before, name: 'Chosen in the page' }
  for (const [name, { value }] of chosen) {
    if (value === '') delete kept[name]
    else kept[name] = value
  }
  return kept as Scenario // the server reads it as it reads the file
}

function selectOf(values: readonly string[], value: string): HTMLSelectElement {
  const all = values.includes(value) ? values : [...values, value]
  const options = all.map((each) => element('option', { value: each, textContent: each === '' ? '—' : each }))
  return element(
    'select',
    { value },
    ...options.map((option) => Object.assign(option, { selected: option.value === value })),
  )
}

function openWindow(size: { width: number; height: number } | undefined): void {
  if (size !== undefined) open(location.href, '', `popup,width=${size.width},height=${size.height}`)
}
