import { type BuyerSession, openPage, type Page, type SessionStep } from '@tillwright/plugin-sdk'
import { languages, openTexts, type TextsStore } from '../texts/texts-store.ts'
import { isBefore, type PageId, pageIds, pageOf, pageOfStep } from './page-of-step.ts'

/** A buyer's way through the funnel, in one document. */
export interface Funnel {
  page: Page
  texts: TextsStore
  /** Leads the buyer on from the page that is shown. @throws {TillwrightError} What `page.next` throws. */
  next(): Promise<void>
  /** Goes back to a page where the buyer has been. @returns False if it is not known which step that was. */
  revisit(pageId: PageId): Promise<boolean>
}

/**
 * Opens the session and keeps the address, the history and the session's step together.
 *
 * @param show Shows a page; `isFirst` for the one that the document begins with.
 */
export function openFunnel(show: (pageId: PageId, isFirst: boolean) => void): Funnel {
  let sessionId: string | undefined
  const way = openWay(onArrival)
  const { page } = way
  let current = pageOf(page.page.id)
  const texts = openTexts(page)
  const begun = begin()
  addEventListener('popstate', ({ state }) => void arrive(visitedOf(state)))
  page.session.subscribe(followSession)
  return {
    page,
    texts,
    async next() {
      await begun // the session may yet have to be led to the page that is shown
      await way.next(current)
    },
    async revisit(pageId) {
      const stepId = way.stepIdOf(pageId)
      return stepId !== undefined && way.goTo('push', stepId)
    },
  }

  async function begin(): Promise<void> {
    await texts.ready
    // The landing page does not depend on the session; every other page does.
    if (current === 'landing') show(current, true)
    const view = await page.session.ready().catch(() => null)
    const visited: Visited = { pageId: current, stepId: page.data.funnel?.stepId ?? null }
    writeVisited(visited, 'replace')
    if (view !== null) await arrive(visited, true)
    else if (current !== 'landing') show(current, true)
  }

  async function arrive({ pageId, stepId }: Visited, isFirst = false): Promise<void> {
    const hasBought = page.receipts.get().length > 0
    const decision = whereTo({ wanted: pageId, at: way.at(), hasBought })
    if (decision === 'show') return place(pageId, isFirst)
    if (decision === 'go') {
      if (stepId !== null && (await way.goTo('replace', stepId))) return
      await way.catchUp(pageId)
    }
    await way.goTo('replace')
  }

  function onArrival({ url, step, mode }: Arrival): void {
    const pageId = pageOfStep(step)
    writeVisited({ pageId, stepId: step.id }, leftForGood.includes(current) ? 'replace' : mode, url)
    place(pageId, false)
  }

  function place(pageId: PageId, isFirst: boolean): void {
    const isShown = isFirst && pageId === 'landing'
    current = pageId
    if (!isShown) show(pageId, isFirst)
  }

  /** A session that has expired is followed by another one, which begins at the beginning. */
  function followSession(): void {
    const { view } = page.session.get()
    if (view === null || view.sessionId === sessionId) return
    const isAnother = sessionId !== undefined
    sessionId = view.sessionId
    way.note()
    if (isAnother && page.pay.get().status === 'idle') void arrive({ pageId: current, stepId: null })
  }
}

/** A step that the session has been led to, and how its page is to stand in the history. */
interface Arrival {
  url: URL
  step: SessionStep
  /** `push` adds to the history, `replace` corrects its entry. */
  mode: 'push' | 'replace'
}

/** The session's way from step to step. */
export interface Way {
  page: Page
  /** The page of the session's step; `null` without a funnel, and as long as there is no session. */
  at(): PageId | null
  /** Leads a session that is new, or behind a page, on to it, without anything being shown. */
  catchUp(pageId: PageId): Promise<void>
  /** Leads on from a page, past offers that no click could pay for. Called twice it does so once. */
  next(pageId: PageId): Promise<void>
  /** Goes to a step, by default where the session is. @returns Whether the platform allows it. */
  goTo(mode: Arrival['mode'], stepId?: string): Promise<boolean>
  /** The step of a page where the buyer has been. */
  stepIdOf(pageId: PageId): string | undefined
  /** Remembers the step that the session is at. */
  note(): void
}

/** Opens the page, and tells where its session is led. */
function openWay(onArrival: (arrival: Arrival) => void): Way {
  let mode: Arrival['mode'] | 'hold' = 'push'
  const stepIds = new Map<PageId, string>()
  const page = openPage({
    locales: Object.keys(languages),
    navigate(url, step) {
      stepIds.set(pageOfStep(step), step.id)
      if (mode !== 'hold') onArrival({ url, step, mode })
    },
  })
  let leading: Promise<void> | null = null
  const step = (): SessionStep | null => page.session.get().view?.step ?? null

  const way: Way = {
    page,
    stepIdOf: (pageId) => stepIds.get(pageId),
    note() {
      const present = step()
      if (present !== null) stepIds.set(pageOfStep(present), present.id)
    },
    at() {
      const present = step()
      return present && pageOfStep(present)
    },
    async catchUp(pageId) {
      for (let tries = 0; tries < pageIds.length; tries += 1) {
        const at = way.at()
        if (at === null || !isBefore(at, pageId)) return
        if (!(await inMode('hold', () => page.next()))) return
      }
    },
    next: (pageId) => (leading ??= lead(pageId).finally(() => (leading = null))),
    goTo: (wanted, stepId = step()?.id ?? '') => inMode(wanted, () => page.goTo(stepId)),
  }
  return way

  async function lead(from: PageId): Promise<void> {
    await way.catchUp(from)
    while (isBeyondMeans(page.session.get().view)) {
      if (!(await inMode('hold', () => page.next()))) break // the next try says why
      const pluginId = step()?.pluginId ?? null
      if (pluginId !== null && pluginId !== page.data.pluginId) return // its page is being loaded
    }
    await page.next()
  }

  async function inMode(wanted: typeof mode, work: () => Promise<unknown>): Promise<boolean> {
    mode = wanted
    try {
      await work()
      return true
    } catch {
      return false // the session is where it was
    } finally {
      mode = 'push'
    }
  }
}

/**
 * Whether an offer in one click follows that nothing can pay for. The platform lists what can be charged again in the
 * session: the cards that have paid in it, and nothing of what was paid without a card.
 */
export function isBeyondMeans(view: Pick<BuyerSession, 'nextStep' | 'paymentInstruments'> | null): boolean {
  const type = view?.nextStep?.type
  return (type === 'upsell' || type === 'downsell') && view?.paymentInstruments.length === 0
}

/** A requested page, by its address, and the step that the session has reached. */
export interface Wish {
  wanted: PageId
  /** The page of the session's step; `null` without a funnel. */
  at: PageId | null
  /** Whether something was bought in this session. */
  hasBought: boolean
}

/** The pages that a buyer goes back to, as long as nothing is bought. */
const open: readonly PageId[] = ['landing', 'offer', 'checkout']

/** Pages without a way back: the page that follows replaces them in the history. */
const leftForGood: readonly PageId[] = ['checkout', 'upsell', 'downsell', 'thank-you']

/**
 * How to answer an address: of the back button, of a reload, or typed. `show` the page, `go` to its step first, or
 * `follow` the session to where it is. Behind a purchase there is no way back to where it could be made a second time, and
 * an offer that was passed is not shown again.
 */
export function whereTo({ wanted, at, hasBought }: Wish): 'show' | 'go' | 'follow' {
  if (at === null || at === wanted) return 'show'
  return open.includes(wanted) && !hasBought ? 'go' : 'follow'
}

/** State of a history entry. */
interface Visited {
  pageId: PageId
  /** `null` if it is not known. */
  stepId: string | null
}

/** Reads what `writeVisited` has written, or of an entry that it has not, that it is the landing page's. */
function visitedOf(state: unknown): Visited {
  const { pageId, stepId } = Object(state) as Partial<Visited> // written below, or null
  return { pageId: pageOf(pageId ?? ''), stepId: stepId ?? null }
}

/** Writes an entry of the history. @param url By default the page's present address. */
function writeVisited(visited: Visited, mode: 'push' | 'replace', url?: URL): void {
  if (mode === 'push') history.pushState(visited, '', url)
  else history.replaceState(visited, '', url)
}
