import type { BuyerSession, SessionStep } from './api.ts'
import type { PageData } from './page-data.ts'
import { NEXT_TOKEN_KEY, type OpenSession } from './session/index.ts'
import type { Store } from './store.ts'
import type { Environment } from './environment.ts'
import { TillwrightError } from './tillwright-error.ts'

/** Shows a step in the current document, as an application in spa-mode does. */
export type Navigate = (url: URL, step: SessionStep) => void

/** Navigation through the funnel. */
export interface Navigation {
  /**
   * Leaves the session's current step, and shows the next one; a buyer who has paid goes to the merchant's own thank-you
   * page instead, if the store has one. A call during another one gets the same promise, so that a double click leaves
   * the step once.
   *
   * @throws {TillwrightError} `funnel_missing`, `step_unreachable`, and the platform's, for example if nothing is paid
   *   yet.
   */
  next(): Promise<BuyerSession>
  /** Goes to a step that the buyer has visited, or in a preview to any step. */
  goTo(stepId: string): Promise<BuyerSession>
}

/** The context of `openNavigation`. */
export interface NavigationContext {
  data: Store<PageData>
  session: OpenSession
  env: Environment
  navigate: Navigate | undefined
}

/** Creates the navigation of a session through its funnel. */
export function openNavigation({ data, session, env, navigate }: NavigationContext): Navigation {
  const { location, storage } = env
  const goTo = async (stepId: string, replace?: boolean): Promise<BuyerSession> =>
    show(await session.change('POST /session/go-to', () => ({ stepId })), replace)
  const { wantedStepId } = session
  // Back from where the session has moved: the platform decides whether the session may come back too.
  if (wantedStepId) goTo(wantedStepId, true).catch(() => {})
  let leaving: Promise<BuyerSession> | null = null
  return {
    next: () => (leaving ??= leave().finally(() => (leaving = null))),
    goTo: (stepId) => goTo(stepId),
  }

  async function leave(): Promise<BuyerSession> {
    const before = await session.ready()
    const stepId = before.step?.id
    const view = stepId ? await session.change('POST /session/next', () => ({ stepId })) : before
    if (view.step?.id !== stepId) return show(view)
    if (view.thankYouUrl) location.assign(view.thankYouUrl)
    else if (!stepId) throw new TillwrightError('funnel_missing', 'The session has no funnel.')
    return view
  }

  async function show(view: BuyerSession, replace?: boolean): Promise<BuyerSession> {
    const { step } = view
    if (!step) return view
    const go = (to: string): void => (replace ? location.replace(to) : location.assign(to))
    const { basePath, pluginId } = data.get()
    const isOwn = step.pluginId === null || step.pluginId === pluginId
    const { origin } = new URL(location.href)
    // The plugin's own steps stay on this host, so that visitors of a preview do not end up in another deployment.
    const isThere = !isOwn || step.url?.startsWith(`${origin}/`)
    const address = isThere ? step.url : basePath.replace(/\/$/, '') + step.path
    if (!address) throw new TillwrightError('step_unreachable', `The step "${step.name}" has no page.`)
    const url = new URL(address, origin)
    if (step.type === 'thank_you' && view.thankYouUrl) {
      go(view.thankYouUrl) // not a page of the session, so it gets no code
    } else if (navigate && isOwn) {
      navigate(url, step)
    } else {
      if (url.origin === origin && storage) {
        storage.setItem(NEXT_TOKEN_KEY, session.kept.get().token) // it stays in this tab
        go(url.href)
      } else {
        await (await import('./session/hand-over.ts')).handOver(url, session, go)
      }
    }
    return view
  }
}
