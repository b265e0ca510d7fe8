import type { BuyerSession } from '@tillwright/contract'
import type { Inspection, ToolbarData } from '../../protocol.ts'
import type { Scenario } from '../../scenarios/index.ts'
import { element, keepPlace, persisted, tabList } from './elements.ts'
import { type ApiCall, callsTab, eventsTab, threedsTab, watchApiCalls } from './record-tabs.ts'
import { scenarioTab, sessionTab, type SessionTab } from './session-tabs.ts'
import { askSession, replay, type Snapshot } from './snapshot.ts'
import { toolbarStyle } from './style.ts'

const tabs = ['Session', 'Scenario', 'Events', '3DS', 'Calls'] as const
type Tab = (typeof tabs)[number]
const SNAPSHOTS_MAX = 5
/** The session is read once this long after the page's requests, however many they were. */
const FOLLOW_AFTER_MS = 1_000

/** State that survives page loads. */
const isOpen = persisted('open', false)
const savedCorner = persisted<Corner>('corner', 'left')
const tab = persisted<Tab>('tab', 'Session')
const snapshots = persisted<Snapshot[]>('snapshots', [])
const wanted = persisted<Snapshot | null>('restore', null)

/** The toolbar of a page. */
export interface Toolbar {
  /** Shows what there is now. */
  take: (data: ToolbarData) => void
  /** Shows what the platform has on record. */
  inspected: (inspection: Inspection) => void
}

/** Requests of the toolbar to the dev server. */
export interface ToolbarActions {
  /** Begins another session, in every page that is open. */
  begin: (scenario: Scenario) => void
  /** Subscribes to the session's record, including the payment that the page knows. */
  inspect: (paymentId: string | null) => void
  /** Unsubscribes: the toolbar was closed. */
  leave: () => void
}

/** The state of a toolbar. */
interface ToolbarState {
  root: ShadowRoot
  deeds: ToolbarActions
  data: ToolbarData | null
  session: BuyerSession | null
  calls: readonly ApiCall[]
  /** `null` until the platform was asked. */
  inspection: Inspection | null
  /** The rendered HTML. */
  drawn: string
  /** The message of the last action's error; '' if it succeeded. */
  failure: string
}

/** Puts the tools of an author into the page. */
export function openToolbar(deeds: ToolbarActions): Toolbar {
  const host = element('tillwright-toolbar' as 'div') // an element without rules of its own
  const root = host.attachShadow({ mode: 'open' })
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(toolbarStyle)
  root.adoptedStyleSheets = [sheet]
  const bar: ToolbarState = {
    root,
    deeds,
    data: null,
    session: null,
    calls: [],
    inspection: null,
    drawn: '',
    failure: '',
  }
  const follow = delayOnce(FOLLOW_AFTER_MS, () => void (isOpen.get() && look(bar)))
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

function render(bar: ToolbarState): void {
  const { root } = bar
  const toggle = () => show(bar, !isOpen.get())
  const pill = element(
    'button',
    { id: 'pill', className: 'pill', 'aria-expanded': isOpen.get(), onclick: toggle },
    'Tillwright',
  )
  const drawn = element('div', { className: savedCorner.get() }, pill, ...(isOpen.get() ? [panel(bar)] : []))
  // Nothing is replaced if nothing has changed: a selection or a click may be in progress.
  if (drawn.outerHTML === bar.drawn) return
  bar.drawn = drawn.outerHTML
  const goBack = keepPlace(root)
  root.replaceChildren(drawn)
  goBack()
}

function panel(bar: ToolbarState): HTMLElement {
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

/** Shown until the platform has answered. */
const notAskedYet = { items: [], missing: 'The platform is being asked.' }

function body(bar: ToolbarState): HTMLElement[] {
  const { data, calls, inspection, deeds } = bar
  if (data === null) return [element('p', { className: 'note', textContent: 'The session has not begun yet.' })]
  switch (tab.get()) {
    case 'Scenario':
      return scenarioTab(data, deeds.begin)
    case 'Events':
      return eventsTab(inspection?.events ?? notAskedYet)
    case '3DS':
      return threedsTab(inspection?.authentications ?? notAskedYet, data.timelinesUrl)
    case 'Calls':
      return callsTab(calls)
    case 'Session':
      return sessionTab({ ...bar, ...sessionActions(bar), data, payments: inspection?.payments ?? noPayments })
  }
}

const noPayments = { items: [], missing: null }

function sessionActions(bar: ToolbarState): Pick<SessionTab, 'snapshots' | 'goTo' | 'keep' | 'restore' | 'forget'> {
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

function show(bar: ToolbarState, open: boolean): void {
  isOpen.set(open)
  render(bar)
  if (open) void look(bar)
  else bar.deeds.leave()
  bar.root.getElementById('pill')?.focus()
}

function choose(bar: ToolbarState, name: Tab): void {
  tab.set(name)
  render(bar)
  bar.root.querySelector('.body')?.scrollTo({ top: 0 })
  bar.root.getElementById(`tab-${name}`)?.focus()
  if (name === 'Session') void read(bar)
}

function moveOn(bar: ToolbarState): void {
  savedCorner.set(nextCorner(savedCorner.get()))
  render(bar)
}

function keepOnly(bar: ToolbarState, kept: Snapshot[]): void {
  snapshots.set(kept)
  render(bar)
}

/** Runs an action; its error is shown in the panel. */
async function attempt(bar: ToolbarState, work: () => Promise<void>): Promise<void> {
  bar.failure = ''
  await work().catch((error: unknown) => {
    bar.failure = String(Object(error).message ?? error)
  })
  render(bar)
}

function read(bar: ToolbarState): Promise<void> {
  return attempt(bar, async () => {
    bar.session = await askSession('GET', '')
  })
}

/** Reads the session, and subscribes to the platform's record of it. */
async function look(bar: ToolbarState): Promise<void> {
  await read(bar)
  bar.deeds.inspect(bar.session?.payment?.id ?? null)
}

function goTo(bar: ToolbarState, stepId: string): void {
  void attempt(bar, async () => {
    await askSession('POST', '/go-to', { stepId })
    const step = bar.data?.steps.find(({ id }) => id === stepId)
    if (step !== undefined) location.assign(step.address)
  })
}

/** The session that it begins with loads the page again, which then goes on with the rest. */
function restore({ deeds }: ToolbarState, snapshot: Snapshot): void {
  wanted.set(snapshot)
  deeds.begin(snapshot.scenario)
}

function goOnRestoring(bar: ToolbarState, steps: ToolbarData['steps']): void {
  const snapshot = wanted.get()
  if (snapshot === null) return
  wanted.set(null)
  void attempt(bar, async () => {
    await replay(snapshot)
    const step = steps.find(({ id }) => id === snapshot.stepId)
    location.assign(step?.address ?? location.href)
  })
}

/** Does something a moment after it was asked for, once for all that ask meanwhile. */
function delayOnce(delayMs: number, work: () => void): () => void {
  let isWaiting = false
  return () => {
    if (isWaiting) return
    isWaiting = true
    setTimeout(() => {
      isWaiting = false
      work()
    }, delayMs)
  }
}

const corners = ['left', 'right', 'right top', 'left top'] as const

/** A corner of the window, by the classes that a toolbar has there. */
type Corner = (typeof corners)[number]

/** The corner that follows; the first behind the last. */
function nextCorner(corner: Corner): Corner {
  return corners[(corners.indexOf(corner) + 1) % corners.length] ?? 'left'
}
