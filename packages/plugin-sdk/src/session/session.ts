import type { BuyerSession } from '../api.ts'
import type { PageData } from '../page-data.ts'
import type { Store } from '../store.ts'
import type { Surroundings } from '../surroundings.ts'
import { TillwrightError } from '../tillwright-error.ts'
import { callSession } from './caller.ts'
import { NEXT_TOKEN_KEY, recordSession, type SessionRecord, type SessionState } from './record.ts'
import type { SessionRequest } from './send.ts'

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
  /** Sends without waiting for the answer, even while the page unloads. */
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
  const baton = around.storage?.getItem(NEXT_TOKEN_KEY)
  record.adopt(baton || given)
  if (baton) around.storage?.setItem(NEXT_TOKEN_KEY, '')
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

/** Statistics never fail a page, and errors of the session are in its state already. */
function ignore(): void {}

/** The session code and step in the page's address; empty if there are none. */
export interface Handed {
  /** A code that opens a session once. */
  code: string
  /** The step that the buyer wants to see, coming back to an origin whose session has gone on to this one. */
  stepId: string
}

/**
 * Takes what hands a session over out of the page's address: a fragment is sent to no server, and stands in no log.
 * Anything else of that name goes as well: a token in an address opens nothing.
 */
function takeHanded({ location, history }: Pick<Surroundings, 'location' | 'history'>): Handed {
  const { href } = location
  const valueOf = (name: string): string => RegExp(`#(?:.*&)?tillwright-${name}=([^&]+)`).exec(href)?.[1] ?? ''
  const clean = href.replace(/tillwright-\w+=[^&]*&?/g, '').replace(/[#&]$/, '')
  if (clean !== href) history.replaceState(history.state, '', clean)
  return { code: valueOf('code'), stepId: valueOf('step') }
}

/** Takes turns: each piece of work begins when the one before it has ended, however that was. */
function takeTurns(): <Answer>(work: () => Promise<Answer>) => Promise<Answer> {
  let last: Promise<unknown> = Promise.resolve()
  return (work) => {
    const turn = last.then(work, work)
    last = turn
    return turn
  }
}
