import type { BuyerSession } from '@tillwright/contract'
import type { Inspection } from '../../inspect/inspection.ts'
import type { Scenario } from '../../scenarios/scenario.ts'
import type { ToolbarData } from '../../toolbar-data.ts'
import { afterAMoment } from './after-a-moment.ts'
import { watchApiCalls, type ApiCall } from './api-calls.ts'
import { callsTab } from './calls-tab.ts'
import { element } from './element.ts'
import { eventsTab } from './events-tab.ts'
import { keepPlace } from './keep-place.ts'
import { remembered } from './remembered.ts'
import { scenarioTab } from './scenario-tab.ts'
import { askSession } from './session-api.ts'
import { sessionTab, type SessionTab } from './session-tab.ts'
import { replay, type Snapshot } from './snapshot.ts'
import { tabList } from './tab-list.ts'
import { threedsTab } from './threeds-tab.ts'
import { toolbarStyle } from './toolbar-style.ts'

const tabs = ['Session', 'Scenario', 'Events', '3DS', 'Calls'] as const
type Tab = (typeof tabs)[number]
const corners = ['left', 'right', 'right top', 'left top'] as const
type Corner = (typeof corners)[number]
const SNAPSHOTS_MAX = 5
/** What the page does is followed by one look at the session, however much it does at once. */
const FOLLOW_AFTER_MS = 1_000

/** What stays from one page to the next. */
const isOpen = remembered('open', false)
const corner = remembered<Corner>('corner', 'left')
const tab = remembered<Tab>('tab', 'Session')
const snapshots = remembered<Snapshot[]>('snapshots', [])
const wanted = remembered<Snapshot | null>('restore', null)

/** The toolbar of a page. */
export interface Toolbar {
  /** Shows what there is now. */
  take: (data: ToolbarData) => void
  /** Shows what the platform has on record. */
  inspected: (inspection: Inspection) => void
}

/** What a toolbar has the dev server do. */
export interface ToolbarDeeds {
  /** Begins another session, in every page that is open. */
  begin: (scenario: Scenario) => void
  /** Has the toolbar told of the session from now on, and of the payment that the page knows. */
  inspect: (paymentId: string | null) => void
  /** Nobody looks any more. */
  leave: () => void
}

/** What a toolbar shows at the moment, and where. */
interface Bar {
  root: ShadowRoot
  deeds: ToolbarDeeds
  data: ToolbarData | null
  session: BuyerSession | null
  calls: readonly ApiCall[]
  /** `null` until the platform was asked. */
  inspection: Inspection | null
  /** What is shown at the moment, as HTML. */
  drawn: string
  /** What has not worked; '' for nothing. */
  failure: string
}

/** Puts the tools of an author into the page. */
export function openToolbar(deeds: ToolbarDeeds): Toolbar {
  const host = element('tillwright-toolbar' as 'div') // an element without rules of its own
  const root = host.attachShadow({ mode: 'open' })
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(toolbarStyle)
  root.adoptedStyleSheets = [sheet]
  const bar: Bar = { root, deeds, data: null, session: null, calls: [], inspection: null, drawn: '', failure: '' }
  const follow = afterAMoment(FOLLOW_AFTER_MS, () => void (isOpen.get() && look(bar)))
  watchApiCalls(isApi, (calls) => {
    bar.calls = calls
    if (isOpen.get() && tab.get() === 'Calls') render(bar)
    follow()
  })
  root.addEventListener('keydown', (event) => {
    if (event instanceof KeyboardEvent && event.key === 'Escape') show(bar, false)
  })
  return {
    take(data) {
      const isFirst = bar.data === null
      if (bar.data?.sessionId !== data.sessionId) bar.inspection = null
      bar.data = data
      if (!host.isConnected) document.documentElement.append(host)
      render(bar)
      if (isFirst) goOnRestoring(bar, data.steps)
      if (isOpen.get()) void look(bar)
    },
    inspected(inspection) {
      if (inspection.sessionId !== bar.data?.sessionId) return
      bar.inspection = inspection
      if (isOpen.get()) void read(bar)
    },
  }
}

function isApi({ origin, pathname }: URL): boolean {
  return origin === location.origin && pathname.startsWith('/__tillwright/api/')
}

function render(bar: Bar): void {
  const { root } = bar
  const toggle = () => show(bar, !isOpen.get())
  const pill = element(
    'button',
    { id: 'pill', className: 'pill', 'aria-expanded': isOpen.get(), onclick: toggle },
    'Tillwright',
  )
  const drawn = element('div', { className: corner.get() }, pill, ...(isOpen.get() ? [panel(bar)] : []))
  // What looks the same stays: somebody may be choosing, selecting or clicking in it.
  if (drawn.outerHTML === bar.drawn) return
  bar.drawn = drawn.outerHTML
  const goBack = keepPlace(root)
  root.replaceChildren(drawn)
  goBack()
}

function panel(bar: Bar): HTMLElement {
  const label = 'Move to the next corner'
  const onclick = () => moveOn(bar)
  const move = element('button', { id: 'corner', className: 'corner', title: label, 'aria-label': label, onclick }, '⤢')
  const heads = tabList({ names: tabs, chosen: tab.get(), choose: (name) => choose(bar, name) })
  const { failure } = bar
  const notes = failure === '' ? [] : [element('p', { className: 'note bad', role: 'alert', textContent: failure })]
  return element(
    'section',
    { className: 'panel', 'aria-label': 'Tools for authors' },
    element('header', {}, heads, move),
    element(
      'div',
      { id: 'panel', className: 'body', role: 'tabpanel', 'aria-labelledby': `tab-${tab.get()}` },
      ...notes,
      ...body(bar),
    ),
  )
}

/** What stands in the place of what the platform has not told yet. */
const unknown = { items: [], missing: 'The platform is being asked.' }

function body(bar: Bar): HTMLElement[] {
  const { data, calls, inspection, deeds } = bar
  if (data === null) return [element('p', { className: 'note', textContent: 'The session has not begun yet.' })]
  switch (tab.get()) {
    case 'Scenario':
      return scenarioTab(data, deeds.begin)
    case 'Events':
      return eventsTab(inspection?.events ?? unknown)
    case '3DS':
      return threedsTab(inspection?.authentications ?? unknown, data.timelinesUrl)
    case 'Calls':
      return callsTab(calls)
    case 'Session':
      return sessionTab({ ...bar, ...deedsOfSession(bar), data, payments: inspection?.payments ?? noPayments })
  }
}

const noPayments = { items: [], missing: null }

function deedsOfSession(bar: Bar): Pick<SessionTab, 'snapshots' | 'goTo' | 'keep' | 'restore' | 'forget'> {
  const kept = snapshots.get()
  return {
    snapshots: kept,
    goTo: (stepId) => goTo(bar, stepId),
    keep: (snapshot) => keepOnly(bar, [snapshot, ...kept].slice(0, SNAPSHOTS_MAX)),
    forget: ({ takenAt }) =>
      keepOnly(
        bar,
        kept.filter((each) => each.takenAt !== takenAt),
      ),
    restore: (snapshot) => restore(bar, snapshot),
  }
}

function show(bar: Bar, open: boolean): void {
  isOpen.set(open)
  render(bar)
  if (open) void look(bar)
  else bar.deeds.leave()
  bar.root.getElementById('pill')?.focus()
}

function choose(bar: Bar, name: Tab): void {
  tab.set(name)
  render(bar)
  bar.root.querySelector('.body')?.scrollTo({ top: 0 })
  bar.root.getElementById(`tab-${name}`)?.focus()
  if (name === 'Session') void read(bar)
}

function moveOn(bar: Bar): void {
  const at = corners.indexOf(corner.get())
  corner.set(corners[(at + 1) % corners.length] ?? 'left')
  render(bar)
}

function keepOnly(bar: Bar, kept: Snapshot[]): void {
  snapshots.set(kept)
  render(bar)
}

/** What does not work is told in the panel. */
async function tried(bar: Bar, work: () => Promise<void>): Promise<void> {
  bar.failure = ''
  await work().catch((error: unknown) => {
    bar.failure = String(Object(error).message ?? error)
  })
  render(bar)
}

function read(bar: Bar): Promise<void> {
  return tried(bar, async () => {
    bar.session = await askSession('GET', '')
  })
}

/** Reads the session, and has the server tell what the platform has on record. */
async function look(bar: Bar): Promise<void> {
  await read(bar)
  bar.deeds.inspect(bar.session?.payment?.id ?? null)
}

function goTo(bar: Bar, stepId: string): void {
  void tried(bar, async () => {
    await askSession('POST', '/go-to', { stepId })
    const step = bar.data?.steps.find(({ id }) => id === stepId)
    if (step !== undefined) location.assign(step.address)
  })
}

/** The session that it begins with loads the page again, which then goes on with the rest. */
function restore({ deeds }: Bar, snapshot: Snapshot): void {
  wanted.set(snapshot)
  deeds.begin(snapshot.scenario)
}

function goOnRestoring(bar: Bar, steps: ToolbarData['steps']): void {
  const snapshot = wanted.get()
  if (snapshot === null) return
  wanted.set(null)
  void tried(bar, async () => {
    await replay(snapshot)
    const step = steps.find(({ id }) => id === snapshot.stepId)
    location.assign(step?.address ?? location.href)
  })
}
