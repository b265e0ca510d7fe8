import { openPage, type Page, type SessionStep } from '@tillwright/plugin-sdk'
import { languages } from '../texts/texts-store.ts'
import { isBefore, pageIds, pageOfStep, type PageId } from './page-of-step.ts'

/** A step that the session has been led to, and how its page is to stand in the history. */
export interface Arrival {
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
  /** Goes to a step, by default where the session is. @returns Whether the platform allows it. */
  goTo(mode: Arrival['mode'], stepId?: string): Promise<boolean>
  /** The step of a page where the buyer has been. */
  stepIdOf(pageId: PageId): string | undefined
  /** Remembers the step that the session is at. */
  note(): void
}

/** Opens the page, and tells where its session is led. */
export function openWay(onArrival: (arrival: Arrival) => void): Way {
  let mode: Arrival['mode'] | 'hold' = 'push'
  const stepIds = new Map<PageId, string>()
  const page = openPage({
    locales: Object.keys(languages),
    navigate(url, step) {
      stepIds.set(pageOfStep(step), step.id)
      if (mode !== 'hold') onArrival({ url, step, mode })
    },
  })
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
    goTo: (wanted, stepId = step()?.id ?? '') => inMode(wanted, () => page.goTo(stepId)),
  }
  return way

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
