import type { BuyerSession } from '../api/buyer-session.ts'
import type { PageData } from '../page/page-data.ts'
import type { Surroundings } from '../page/surroundings.ts'
import type { Store } from '../store.ts'
import { TillwrightError } from '../tillwright-error.ts'
import { callSession } from './call-session.ts'
import { BATON } from './kept-session.ts'
import { recordSession, type SessionRecord } from './session-record.ts'
import type { SessionRequest } from './session-request.ts'
import type { SessionState } from './session-state.ts'
import { takeHanded } from './take-handed.ts'
import { takeTurns } from './turns.ts'

/** The session as pages use it. */
export interface SessionStore extends Store<SessionState> {
  /**
   * The session, as soon as it has begun.
   *
   * @throws {TillwrightError} When it cannot begin.
   */
  ready(): Promise<BuyerSession>
  /** Reads it again, or tries again to begin it. */
  refresh(): Promise<BuyerSession>
  /** Leaves the session behind, as when it goes on elsewhere, and begins another one. */
  startOver(): Promise<BuyerSession>
}

/** The session as the other parts of the SDK use it. */
export interface OpenSession extends SessionStore, Pick<SessionRecord, 'kept' | 'keep'> {
  /** The step that the page's address asks for; empty for none. */
  wantedStepId: string
  /**
   * Asks for a change that is answered with the session. Changes are sent one after the other, so that the last answer
   * is the latest. One that has met another tab's is tried once more.
   *
   * @param body Is called when it is this change's turn, and again before another try.
   */
  change(request: SessionRequest, body?: () => object): Promise<BuyerSession>
  /** Asks for anything else, after the changes that were asked for before. */
  ask(request: SessionRequest, body?: object): Promise<unknown>
  /** Sends something that nobody waits for, also while the page goes away. */
  tell(request: SessionRequest, body: object): void
}

/** Opens the session that the address, the page's data or the tab has, or begins one. */
export function openSession(data: Store<PageData>, around: Surroundings): OpenSession {
  const record = recordSession(data, around)
  const { state, kept } = record
  const inTurn = takeTurns()
  const { code, stepId: wantedStepId } = takeHanded(around)
  let given = data.get().session?.token
  let changes = 0
  let starting: Promise<BuyerSession> | null = null
  const baton = around.storage?.getItem(BATON)
  record.adopt(baton || given)
  if (baton) around.storage?.setItem(BATON, '')
  if (code) record.keep({ handed: { code, key: around.newKey() } })
  const caller = callSession({ data, around, record, wantedStepId })

  const session: OpenSession = {
    ...state,
    kept,
    keep: record.keep,
    wantedStepId,
    startOver: () => (record.forget(), session.ready()),
    ready() {
      const { view } = state.get()
      return view ? Promise.resolve(view) : (starting ??= session.refresh().finally(() => (starting = null)))
    },
    refresh: () => noted(inTurn(async () => record.show(await caller.read()))),
    change: (request, body) => busy(inTurn(async () => record.show(await again(request, body)))),
    ask: (request, body) => busy(inTurn(() => caller.call(request, body))),
    tell: (request, body) => void session.ready().then(() => caller.tell(request, body), ignore),
  }
  const refresh = (): unknown => session.refresh().catch(ignore) // the state says what is wrong
  around.onReturn(refresh)
  data.subscribe(() => {
    const token = data.get().session?.token
    if (!token || token === given) return
    given = token
    record.adopt(token)
    refresh()
  })
  void session.ready().catch(ignore)
  return session

  async function again(request: SessionRequest, body?: () => object): Promise<unknown> {
    try {
      return await caller.call(request, body?.())
    } catch (error) {
      if (!(error instanceof TillwrightError) || error.status !== 409) throw error
      record.show(await caller.read())
      return caller.call(request, body?.())
    }
  }

  async function busy<Answer>(work: Promise<Answer>): Promise<Answer> {
    record.update({ isBusy: ++changes > 0 })
    return noted(work).finally(() => record.update({ isBusy: --changes > 0 }))
  }

  function noted<Answer>(work: Promise<Answer>): Promise<Answer> {
    work.catch(record.fail)
    return work
  }
}

/** What is told of is never worth a failure of the page, and the session's state has it already. */
function ignore(): void {}
