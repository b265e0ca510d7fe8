import type { BuyerSession } from '@tillwright/contract'
import type { Inspection, ShownProblem, ToolbarData } from '../../protocol.ts'
import type { Scenario } from '../../scenarios/index.ts'
import { delayOnce, element, keepPlace, persisted, tabList } from './elements.ts'
import {
  clearPlace,
  type Corner,
  isPhone,
  nextCorner,
  openingCorner,
  type PanelPlace,
  placePill,
  whenMoved,
  whenUsed,
} from './placement.ts'
import { type ApiCall, callsTab, eventsTab, threedsTab, warningList, watchApiCalls } from './record-tabs.ts'
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
  /** Shows what is wrong with the plugin and keeps nothing from working. */
  warn: (warnings: readonly ShownProblem[]) => void
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
  warnings: readonly ShownProblem[]
  /** Where the open toolbar stands: not in its own corner while it would cover what is used there. */
  place: PanelPlace
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
    warnings: [],
    place: { corner: savedCorner.get(), heightPx: null },
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
  if (isPhone()) isOpen.set(false) // it would cover the page that is to be seen
  whenMoved(() => place(bar))
  whenUsed(host, (control) => makeWay(bar, control))
  return {
    warn(warnings) {
      bar.warnings = warnings
      if (bar.data !== null) render(bar)
    },
    take(data) {
      const isFirst = bar.data === null
      if (bar.data?.sessionId !== data.sessionId) bar.inspection = null
      bar.data = data
      if (!host.isConnected) document.documentElement.append(host)
      render(bar)
      if (isFirst) goOnRestoring(bar, data.steps)
      if (isOpen.get()) void (isFirst ? openClear(bar) : look(bar))
    },
    inspected(inspection) {
      if (inspection.sessionId !== bar.data?.sessionId) return
      bar.inspection = inspection
      if (isOpen.get()) void read(bar)
    },
  }
}

const isApi = ({ origin, pathname }: URL) => origin === location.origin && pathname.startsWith('/__tillwright/api/')

function render(bar: ToolbarState): void {
  const { root } = bar
  const toggle = () => show(bar, !isOpen.get())
  const { length: count } = bar.warnings
  const name = count === 0 ? 'Tillwright' : `Tillwright, ${count} ${count === 1 ? 'warning' : 'warnings'}`
  const pill = element(
    'button',
    { id: 'pill', className: 'pill', 'aria-expanded': isOpen.get(), 'aria-label': name, onclick: toggle },
    element('span', { className: 'name' }, 'Tillwright'),
    ...(count === 0 ? [] : [element('span', { className: 'count' }, String(count))]),
  )
  const drawn = element('div', { className: bar.place.corner }, pill, ...(isOpen.get() ? [panel(bar)] : []))
  // Nothing is replaced if nothing has changed: a selection or a click may be in progress.
  if (drawn.outerHTML === bar.drawn) return
  bar.drawn = drawn.outerHTML
  const goBack = keepPlace(root)
  root.replaceChildren(drawn)
  goBack()
  place(bar)
}

/** The button stands where it covers nothing. */
function place({ root }: ToolbarState): void {
  const pill = root.getElementById('pill')
  if (pill !== null) placePill(pill, savedCorner.get())
}

/** The open toolbar goes to another corner where it covers what is used, and closes where it covers it in all of them. */
function makeWay(bar: ToolbarState, control: Element): void {
  const shown = bar.root.querySelector<HTMLElement>('.panel')
  if (!isOpen.get() || shown === null) return
  const clear = isPhone() ? null : clearPlace(shown, control, bar.place.corner)
  if (clear === null) return collapse(bar)
  bar.place = clear
  render(bar)
}

/** The toolbar that opens stands where it covers the fewest controls. */
function standClear(bar: ToolbarState): void {
  const shown = bar.root.querySelector<HTMLElement>('.panel')
  if (shown === null || isPhone()) return
  bar.place = { corner: openingCorner(shown, bar.place.corner), heightPx: null }
  render(bar)
}

/** It is as high as it will be once the session was read. */
async function openClear(bar: ToolbarState): Promise<void> {
  standClear(bar)
  await look(bar)
  standClear(bar)
}

/** Closes it and leaves the keyboard where it is. */
function collapse(bar: ToolbarState): void {
  isOpen.set(false)
  render(bar)
  bar.deeds.leave()
}

function panel(bar: ToolbarState): HTMLElement {
  const label = 'Move to the next corner'
  const onclick = () => moveOn(bar)
  const move = element('button', { id: 'corner', className: 'corner', title: label, 'aria-label': label, onclick }, '⤢')
  const heads = tabList({ names: tabs, chosen: tab.get(), choose: (name) => choose(bar, name) })
  const {
    failure,
    place: { heightPx },
  } = bar
  const style = heightPx === null ? '' : `max-height: ${heightPx}px`
  const notes = failure === '' ? [] : [element('p', { className: 'note bad', role: 'alert', textContent: failure })]
  return element(
    'section',
    { className: 'panel', 'aria-label': 'Tools for authors', style },
    element('header', {}, heads, move),
    element(
      'div',
      { id: 'panel', className: 'body', role: 'tabpanel', 'aria-labelledby': `tab-${tab.get()}` },
      ...notes,
      ...warningList(bar.warnings),
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
  if (open) void openClear(bar)
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
  bar.place = { corner: nextCorner(bar.place.corner), heightPx: null }
  savedCorner.set(bar.place.corner)
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
