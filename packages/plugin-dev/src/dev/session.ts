import { setTimeout as delay } from 'node:timers/promises'
import { TillwrightError } from '@tillwright/client'
import { fileError } from '@tillwright/plugin-build'
import { type Binding, isUnreachable, type Preview } from '../binding/index.ts'
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

/** Binds a plugin from the beginning: to the platform and with the key that are there now. */
export type Bind = (served: ServedPlugin, scenario?: Scenario) => Promise<Binding>

export function sessionActions(state: DevState, bind: Bind): SessionActions {
  const stopping = new AbortController()
  let renewing: { token: Promise<string>; atMs: number } | null = null
  let looking = false

  async function begin(wanted?: Scenario): Promise<Preview> {
    const { served, binding } = bound(state)
    const scenario = wanted ?? binding.scenario
    await orBindAgain(state, {
      work: () => binding.restart(served.plugin, scenario),
      again: () => bind(served, scenario),
    })
    sendPlugin(state)
    reportSession(state)
    return bound(state).binding.preview
  }

  /** A page cannot tell its author why it has no session. */
  function reportRefusal(error: unknown): never {
    if (error instanceof Error && !isUnreachable(error)) state.board.set('platform', [refused(error)])
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
        renewing = { token: begin().then(({ token }) => token, reportRefusal), atMs: performance.now() }
      }
      return renewing.token
    },
    async restart(scenario) {
      const { stepId } = await begin(scenario)
      showStep(state, stepId)
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

/** Work with a binding, and another one for the case that it cannot be used any more. */
interface BoundWork {
  work: () => Promise<unknown>
  again: () => Promise<Binding>
}

/**
 * Works with the binding. Where the platform has forgotten what it names, or refuses its key, which a login may have
 * replaced, the plugin is bound again instead.
 */
export async function orBindAgain(state: DevState, { work, again }: BoundWork): Promise<void> {
  try {
    await work()
  } catch (error) {
    if (!isOfKey(error) && !(error instanceof TillwrightError && error.status === 404)) throw error
    state.binding = await again()
  }
  state.board.set('platform', [])
}

function isOfKey(error: unknown): boolean {
  return error instanceof TillwrightError && (error.status === 401 || error.status === 403)
}

/** What an author can do about an error of the platform. */
export function fixOf(error: unknown): string {
  return isOfKey(error)
    ? 'Start again with another TILLWRIGHT_API_KEY where that is set; elsewhere log in with "tillwright login"'
    : 'Fix what it says'
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

function refused(error: Error) {
  return fileError('', {
    code: 'session-refused',
    rule: `The platform gives pages no session: ${error.message}`,
    fix: `${fixOf(error)}; then load the page again.`,
  })
}

function gone(apiUrl: string) {
  return fileError('', {
    code: 'platform-gone',
    rule: `The platform does not answer at ${apiUrl}.`,
    fix: 'Start it again; pages go on by themselves.',
  })
}
