import type { Page, Store } from '@tillwright/plugin-sdk'
import { screenOf, type ScreenId } from './rules/screens.ts'

/** The screen to show. It follows the URL, and the buyer's back button. */
export interface Router extends Store<ScreenId> {
  /** The address of a screen on this host. */
  urlOf(screen: ScreenId): URL
  /** Shows the screen of an address; with the funnel's step there, if there is one. */
  show(url: URL, stepId: string | null): void
}

/** Opens the one router of the application. */
export function openRouter(page: Page): Router {
  const { basePath } = page.data
  const listeners = new Set<() => void>()
  let screen = screenOf(location.pathname, basePath)

  addEventListener('popstate', ({ state }) => {
    look()
    if (state?.stepId) void goBack(state.stepId)
  })
  void page.session.ready().then(({ step }) => history.replaceState({ stepId: step?.id ?? null }, ''))

  return {
    get: () => screen,
    subscribe(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    urlOf: (to) => new URL(basePath.replace(/\/?$/, '/') + (to === 'offer' ? '' : to), location.href),
    show(url, stepId) {
      const isHere = url.pathname === location.pathname
      history[isHere ? 'replaceState' : 'pushState']({ stepId }, '', url)
      look()
    },
  }

  function look(): void {
    screen = screenOf(location.pathname, basePath)
    for (const listener of listeners) listener()
  }

  /** The session goes where the buyer went, unless the platform says that this is over. */
  async function goBack(stepId: string): Promise<void> {
    const { step } = await page.session.ready()
    if (step && step.id !== stepId) await page.goTo(stepId).catch(stay)
  }

  /** Shows where the session is by now: the buyer may have begun another one since. */
  async function stay(): Promise<void> {
    const { view } = page.session.get()
    if (view?.step) await page.goTo(view.step.id)
  }
}
