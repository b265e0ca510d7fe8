import { openPage, type Page, type SessionStep } from '@tillwright/plugin-sdk'
import { languages, openTexts, type TextsStore } from '../texts/texts-store.ts'
import { isBefore, pageIds, pageOf, pageOfStep, type PageId } from './page-of-step.ts'
import { leftForGood, whereTo } from './where-to.ts'

/** What an entry of the history knows of its page. */
interface Visited {
  pageId: PageId
  stepId: string | null
}

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
  /** `push` adds to the history, `replace` corrects its entry, `hold` shows nothing yet. */
  let mode: 'push' | 'replace' | 'hold' = 'push'
  let current: PageId
  let sessionId: string | undefined
  const stepIds = new Map<PageId, string>()
  const page = openPage({ locales: Object.keys(languages), navigate })
  current = pageOf(page.page.id)
  const texts = openTexts(page)
  const begun = begin()
  addEventListener('popstate', ({ state }) => void arrive(visitedOf(state)))
  page.session.subscribe(noteSession)
  return {
    page,
    texts,
    async next() {
      await begun // the session may yet have to be led to the page that is shown
      await catchUp()
      await page.next()
    },
    async revisit(pageId) {
      const stepId = stepIds.get(pageId)
      return stepId !== undefined && succeeds(page.goTo(stepId))
    },
  }

  async function begin(): Promise<void> {
    await texts.ready
    // What the landing page says does not hang on the session; every other page does.
    if (current === 'landing') show(current, true)
    const view = await page.session.ready().catch(() => null)
    const stepId = page.data.funnel?.stepId ?? null
    history.replaceState({ pageId: current, stepId } satisfies Visited, '')
    if (view !== null) await arrive({ pageId: current, stepId }, true)
    else if (current !== 'landing') show(current, true)
  }

  async function arrive({ pageId, stepId }: Visited, isFirst = false): Promise<void> {
    const at = placeOfSession()
    const hasBought = page.receipts.get().length > 0
    const way = whereTo({ wanted: pageId, at, hasBought })
    if (way === 'show') return place(pageId, isFirst)
    if (way === 'go' && stepId !== null && (await inMode('replace', () => succeeds(page.goTo(stepId))))) return
    if (way === 'go') {
      current = pageId
      await catchUp()
      if (placeOfSession() === pageId) return place(pageId, isFirst)
    }
    const { step } = page.session.get().view ?? {}
    if (step) await inMode('replace', () => succeeds(page.goTo(step.id)))
  }

  /** Leads a session that is new, or behind the page that is shown, on to it. */
  async function catchUp(): Promise<void> {
    for (let tries = 0; tries < pageIds.length; tries += 1) {
      const at = placeOfSession()
      if (at === null || !isBefore(at, current)) return
      if (!(await inMode('hold', () => succeeds(page.next())))) return
    }
  }

  async function inMode<Answer>(wanted: typeof mode, work: () => Promise<Answer>): Promise<Answer> {
    mode = wanted
    try {
      return await work()
    } finally {
      mode = 'push'
    }
  }

  function navigate(url: URL, step: SessionStep): void {
    const pageId = pageOfStep(step)
    stepIds.set(pageId, step.id)
    if (mode === 'hold') return
    const visited: Visited = { pageId, stepId: step.id }
    if (mode === 'replace' || leftForGood.includes(current)) history.replaceState(visited, '', url)
    else history.pushState(visited, '', url)
    place(pageId, false)
  }

  function place(pageId: PageId, isFirst: boolean): void {
    const isShown = isFirst && current === 'landing' && pageId === current
    current = pageId
    if (!isShown) show(pageId, isFirst)
  }

  function placeOfSession(): PageId | null {
    const { step } = page.session.get().view ?? {}
    return step ? pageOfStep(step) : null
  }

  /** A session that has expired is followed by another one, which begins at the beginning. */
  function noteSession(): void {
    const { view } = page.session.get()
    if (view === null || view.sessionId === sessionId) return
    const isAnother = sessionId !== undefined
    sessionId = view.sessionId
    if (view.step) stepIds.set(pageOfStep(view.step), view.step.id)
    if (isAnother && page.pay.get().status === 'idle') void arrive({ pageId: current, stepId: null })
  }
}

function succeeds(work: Promise<unknown>): Promise<boolean> {
  return work.then(
    () => true,
    () => false,
  )
}

function visitedOf(state: unknown): Visited {
  const { pageId, stepId } = Object(state) as Partial<Visited> // written by this module, or null
  return { pageId: pageOf(pageId ?? ''), stepId: stepId ?? null }
}
