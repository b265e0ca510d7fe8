import type { BuyerSession, SessionStep } from './api.ts'
import type { PageData } from './page-data.ts'
import { NEXT_TOKEN_KEY, type OpenSession } from './session/index.ts'
import type { Store } from './store.ts'
import type { Surroundings } from './surroundings.ts'
import { TillwrightError } from './tillwright-error.ts'

/** Shows a step in the document that is there, as an application in spa-mode does. */
export type Navigate = (url: URL, step: SessionStep) => void

/** Navigation through the funnel. */
export interface Way {
  /**
   * Leaves the step that the session is at, and shows where it is then. A call while another is under way gets that
   * one's promise, so that a double click leaves once.
   *
   * @throws {TillwrightError} `funnel_missing`, `step_unreachable`, and the platform's, as when nothing is paid yet.
   */
  next(): Promise<BuyerSession>
  /** Goes to a step that the buyer has seen, or in a preview to any. */
  goTo(stepId: string): Promise<BuyerSession>
}

/** The context of `wayOf`. */
export interface WayContext {
  data: Store<PageData>
  session: OpenSession
  around: Surroundings
  navigate: Navigate | undefined
}

/** Makes the navigation of a session through its funnel. */
export function wayOf({ data, session, around, navigate }: WayContext): Way {
  const { location, storage } = around
  const goTo = async (stepId: string, replace?: boolean): Promise<BuyerSession> =>
    show(await session.change('POST /session/go-to', () => ({ stepId })), replace)
  const { wantedStepId } = session
  // Back from where the session has gone: the platform says whether there is a way back for the session as well.
  if (wantedStepId) goTo(wantedStepId, true).catch(() => {})
  let leaving: Promise<BuyerSession> | null = null
  return {
    next: () => (leaving ??= leave().finally(() => (leaving = null))),
    goTo: (stepId) => goTo(stepId),
  }

  async function leave(): Promise<BuyerSession> {
    const { step } = await session.ready()
    if (!step) throw new TillwrightError('funnel_missing', 'The session has no funnel.')
    const view = await session.change('POST /session/next', () => ({ stepId: step.id }))
    return view.step?.id === step.id ? view : show(view)
  }

  async function show(view: BuyerSession, replace?: boolean): Promise<BuyerSession> {
    const { step } = view
    if (!step) return view
    const { basePath, pluginId } = data.get()
    const isOwn = step.pluginId === null || step.pluginId === pluginId
    const { origin } = new URL(location.href)
    // The plugin's own steps stay on this host, so that no visitor of a preview is led to another deployment.
    const isThere = !isOwn || step.url?.startsWith(`${origin}/`)
    const address = isThere ? step.url : basePath.replace(/\/$/, '') + step.path
    if (!address) throw new TillwrightError('step_unreachable', `The step "${step.name}" has no page.`)
    const url = new URL(address, origin)
    if (navigate && isOwn) {
      navigate(url, step)
    } else {
      const go = (to: string): void => location[replace ? 'replace' : 'assign'](to)
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
