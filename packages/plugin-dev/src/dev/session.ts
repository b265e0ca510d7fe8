import { setTimeout as delay } from 'node:timers/promises'
import { TillwrightError } from '@tillwright/client'
import { type Binding, isUnreachable } from '../binding/index.ts'
import { pageAddress, stepIdOf } from '../pages.ts'
import type { Scenario } from '../scenarios/index.ts'
import { sendPlugin, sendToPages } from './messages.ts'
import type { ServedPlugin } from './served-plugin.ts'
import type { DevState } from './state.ts'

/** Several pages whose token is refused at once get the same new one. */
const RENEWED_TOGETHER_MS = 3_000
/** How often an unreachable platform is looked for. */
const LOOK_EVERY_MS = 250

/** Actions on the session that pages are bound to. */
export interface SessionActions {
  /** A new token for pages whose own is refused. */
  renew: () => Promise<string>
  /** Begins another session, and shows its first page. */
  restart: (scenario?: Scenario) => Promise<void>
  /** Goes on to the next step, in every page that is open. */
  next: () => Promise<void>
  /** The platform does not answer: it is looked for until it does. */
  platformGone: () => void
  stop: () => void
}

/** @param rebind Binds the plugin from the beginning: on a platform that has forgotten it. */
export function sessionActions(state: DevState, rebind: (served: ServedPlugin) => Promise<Binding>): SessionActions {
  const stopping = new AbortController()
  let renewing: { token: Promise<string>; atMs: number } | null = null
  let looking = false

  async function renewOnce(): Promise<string> {
    const { served, binding } = bound(state)
    try {
      await binding.renew(served.plugin)
    } catch (error) {
      if (!(error instanceof TillwrightError) || (error.status !== 404 && error.status !== 401)) throw error
      state.binding = await rebind(served)
    }
    state.board.set('platform', [])
    sendPlugin(state)
    reportSession(state)
    return bound(state).binding.preview.token
  }

  /** A page cannot tell its author why it has no session. */
  function reportRefusal(error: unknown): never {
    if (error instanceof Error && !isUnreachable(error)) state.board.set('platform', [refused(error.message)])
    throw error
  }

  async function lookForPlatform(): Promise<void> {
    const { binding } = bound(state)
    state.tell({ type: 'platform', state: 'gone', apiUrl: binding.platform.apiUrl })
    state.board.set('platform', [gone(binding.platform.apiUrl)])
    while (!stopping.signal.aborted && !(await answers(binding))) {
      await delay(LOOK_EVERY_MS, undefined, { ref: false, signal: stopping.signal }).catch(() => {})
    }
    looking = false
    if (stopping.signal.aborted) return
    state.board.set('platform', [])
    state.tell({ type: 'platform', state: 'back', apiUrl: binding.platform.apiUrl })
    sendPlugin(state)
  }

  return {
    renew() {
      if (renewing === null || performance.now() - renewing.atMs > RENEWED_TOGETHER_MS) {
        renewing = { token: renewOnce().catch(reportRefusal), atMs: performance.now() }
      }
      return renewing.token
    },
    async restart(scenario) {
      const { served, binding } = bound(state)
      await binding.restart(served.plugin, scenario ?? binding.scenario)
      sendPlugin(state)
      reportSession(state)
      showStep(state, binding.preview.stepId)
    },
    async next() {
      const stepId = await bound(state).binding.next()
      if (stepId !== null) showStep(state, stepId)
    },
    platformGone() {
      if (looking || state.binding === null) return
      looking = true
      void lookForPlatform()
    },
    stop: () => stopping.abort(),
  }
}

/** Reports the current session to the terminal. */
export function reportSession(state: DevState): void {
  const { preview, scenario } = bound(state).binding
  state.tell({ type: 'session', sessionId: preview.sessionId, stepId: preview.stepId, scenario: scenario.name })
}

/** @throws {Error} Before there is a plugin without errors. */
function bound({ served, binding }: DevState): { served: ServedPlugin; binding: Binding } {
  if (served !== null && binding !== null) return { served, binding }
  throw new Error('The plugin has errors; there is no session before they are fixed.')
}

/** Shows the page of a step in every page that is open. */
function showStep(state: DevState, stepId: string): void {
  const { served, binding } = bound(state)
  const page = served.plugin.pages.find(({ id }) => stepIdOf(id) === stepId)
  if (page !== undefined)
    sendToPages(state, 'tillwright:navigate', { path: pageAddress(page, binding.scenario.params) })
}

async function answers(binding: Binding): Promise<boolean> {
  try {
    await binding.reconnect()
    return true
  } catch (error) {
    // A platform that refuses is reachable; the next request reports its error.
    return error instanceof TillwrightError && !isUnreachable(error)
  }
}

function refused(message: string) {
  return {
    code: 'session-refused',
    severity: 'error',
    file: '',
    line: 1,
    column: 1,
    pointer: null,
    rule: `The platform gives pages no session: ${message}`,
    fix: 'Mend what it says, with "tillwright login" where the key is at fault, then load the page again.',
  } as const
}

function gone(apiUrl: string) {
  return {
    code: 'platform-gone',
    severity: 'error',
    file: '',
    line: 1,
    column: 1,
    pointer: null,
    rule: `The platform does not answer at ${apiUrl}.`,
    fix: 'Start it again; pages go on by themselves.',
  } as const
}
