import type { Page } from '@tillwright/plugin-sdk'
import { openTexts, type TextsStore } from '../texts/texts-store.ts'
import { openWay, type Arrival } from './open-way.ts'
import { pageOf, pageOfStep, type PageId } from './page-of-step.ts'
import { visitedOf, writeVisited, type Visited } from './visited.ts'
import { leftForGood, whereTo } from './where-to.ts'

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
      await way.catchUp(current)
      await page.next()
    },
    async revisit(pageId) {
      const stepId = way.stepIdOf(pageId)
      return stepId !== undefined && way.goTo('push', stepId)
    },
  }

  async function begin(): Promise<void> {
    await texts.ready
    // What the landing page says does not hang on the session; every other page does.
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
