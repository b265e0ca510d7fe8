import type { BuyerSession } from '@tillwright/contract'
import type { Scenario } from '../../scenarios/scenario.ts'
import type { ToolbarData } from '../../toolbar-data.ts'
import { watchApiCalls, type ApiCall } from './api-calls.ts'
import { callsTab } from './calls-tab.ts'
import { element } from './element.ts'
import { remembered } from './remembered.ts'
import { scenarioTab } from './scenario-tab.ts'
import { askSession } from './session-api.ts'
import { sessionTab } from './session-tab.ts'
import { replay, type Snapshot } from './snapshot.ts'
import { toolbarStyle } from './toolbar-style.ts'

const tabs = ['Session', 'Scenario', 'Calls'] as const
type Tab = (typeof tabs)[number]
const corners = ['left', 'right', 'right top', 'left top'] as const
type Corner = (typeof corners)[number]
const SNAPSHOTS_MAX = 5

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
}

/** What a toolbar shows at the moment, and where. */
interface Bar {
  root: ShadowRoot
  begin: (scenario: Scenario) => void
  data: ToolbarData | null
  session: BuyerSession | null
  calls: readonly ApiCall[]
  /** What has not worked; '' for nothing. */
  failure: string
}

/** @param begin Begins another session, in every page that is open. */
export function openToolbar(begin: (scenario: Scenario) => void): Toolbar {
  const host = element('tillwright-toolbar' as 'div') // an element without rules of its own
  const root = host.attachShadow({ mode: 'open' })
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(toolbarStyle)
  root.adoptedStyleSheets = [sheet]
  const bar: Bar = { root, begin, data: null, session: null, calls: [], failure: '' }
  watchApiCalls(isApi, (calls) => {
    bar.calls = calls
    if (isOpen.get() && tab.get() === 'Calls') render(bar)
  })
  root.addEventListener('keydown', (event) => {
    if (event instanceof KeyboardEvent && event.key === 'Escape') show(bar, false)
  })
  return {
    take(data) {
      const isFirst = bar.data === null
      bar.data = data
      if (!host.isConnected) document.documentElement.append(host)
      render(bar)
      if (isFirst) goOnRestoring(bar, data.steps)
      if (isOpen.get()) void read(bar)
    },
  }
}

function isApi({ origin, pathname }: URL): boolean {
  return origin === location.origin && pathname.startsWith('/__tillwright/api/')
}

function render(bar: Bar): void {
  const { root } = bar
  const focused = root.activeElement?.id
  const toggle = () => show(bar, !isOpen.get())
  const pill = element(
    'button',
    { id: 'pill', className: 'pill', 'aria-expanded': isOpen.get(), onclick: toggle },
    'Tillwright',
  )
  root.replaceChildren(element('div', { className: corner.get() }, pill, ...(isOpen.get() ? [panel(bar)] : [])))
  if (focused) root.getElementById(focused)?.focus()
}

function panel(bar: Bar): HTMLElement {
  const heads = tabs.map((name) => {
    const properties = { id: `tab-${name}`, role: 'tab', 'aria-selected': tab.get() === name }
    return element('button', { ...properties, onclick: () => choose(bar, name) }, name)
  })
  const label = 'Move to the next corner'
  const onclick = () => moveOn(bar)
  const move = element('button', { id: 'corner', className: 'corner', title: label, 'aria-label': label, onclick }, '⤢')
  const { failure } = bar
  const notes = failure === '' ? [] : [element('p', { className: 'note bad', role: 'alert', textContent: failure })]
  return element(
    'section',
    { className: 'panel', 'aria-label': 'Tools for authors' },
    element('header', {}, element('nav', { role: 'tablist' }, ...heads), move),
    element('div', { className: 'body', role: 'tabpanel', 'aria-label': tab.get() }, ...notes, ...body(bar)),
  )
}

function body(bar: Bar): HTMLElement[] {
  const { data, session, calls, begin } = bar
  if (data === null) return [element('p', { className: 'note', textContent: 'The session has not begun yet.' })]
  switch (tab.get()) {
    case 'Scenario':
      return scenarioTab(data, begin)
    case 'Calls':
      return callsTab(calls)
    case 'Session':
      return sessionTab({
        data,
        session,
        snapshots: snapshots.get(),
        goTo: (stepId) => goTo(bar, stepId),
        keep: (snapshot) => keepOnly(bar, [snapshot, ...snapshots.get()].slice(0, SNAPSHOTS_MAX)),
        forget: ({ takenAt }) =>
          keepOnly(
            bar,
            snapshots.get().filter((each) => each.takenAt !== takenAt),
          ),
        restore: (snapshot) => restore(bar, snapshot),
      })
  }
}

function show(bar: Bar, open: boolean): void {
  isOpen.set(open)
  render(bar)
  if (open) void read(bar)
  bar.root.getElementById('pill')?.focus()
}

function choose(bar: Bar, name: Tab): void {
  tab.set(name)
  render(bar)
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

function goTo(bar: Bar, stepId: string): void {
  void tried(bar, async () => {
    await askSession('POST', '/go-to', { stepId })
    const step = bar.data?.steps.find(({ id }) => id === stepId)
    if (step !== undefined) location.assign(step.address)
  })
}

/** The session that it begins with loads the page again, which then goes on with the rest. */
function restore({ begin }: Bar, snapshot: Snapshot): void {
  wanted.set(snapshot)
  begin(snapshot.scenario)
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
