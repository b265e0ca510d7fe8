import type { BuyerSession } from '../api/buyer-session.ts'
import type { PageData } from '../page/page-data.ts'
import type { Surroundings } from '../page/surroundings.ts'
import { createStore, type Store } from '../store.ts'
import { TillwrightError } from '../tillwright-error.ts'
import { callSession, type SessionCaller } from './call-session.ts'
import { keyOf, readKept, unknownSession, type KeptSession } from './kept-session.ts'
import type { Sent, SessionOperation } from './session-operations.ts'
import type { SessionState } from './session-state.ts'
import { takeToken } from './take-token.ts'
import { wantedLines } from './wanted-lines.ts'

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
}

/** The session as the other parts of the SDK use it. */
export interface OpenSession extends SessionStore {
  kept: Store<KeptSession>
  /** Remembers the cart as it is sent. */
  keep(change: Partial<KeptSession>): void
  /**
   * Asks for a change that is answered with the session. Changes are sent one after the other, so that the last answer
   * is the latest. One that has met another tab's is tried once more.
   *
   * @param sent Is called when it is this change's turn.
   */
  change(operation: SessionOperation, sent: () => Sent): Promise<BuyerSession>
  /** Asks for anything else, after the changes that were asked for before. */
  ask(operation: SessionOperation, sent: () => Sent): Promise<unknown>
  /** Tells something once, also while the page goes away. */
  tell(operation: SessionOperation, body: object): void
}

/** Opens the session that the address, the page's data or the tab has, or begins one. */
export function openSession(data: Store<PageData>, around: Surroundings): OpenSession {
  const key = keyOf(data.get())
  const state = createStore<SessionState>({ status: 'starting', view: null, isBusy: false, error: null })
  const kept = createStore(unknownSession(''))
  const handed = takeToken(around)
  let given = data.get().session?.token
  let isNew = adopt(handed ?? given ?? readKept(key, around).token)
  let turns: Promise<unknown> = Promise.resolve()
  let changes = 0
  let starting: Promise<BuyerSession> | null = null

  const caller: SessionCaller = callSession({
    data,
    around,
    token: () => kept.get().token,
    adopt: (token) => (isNew = adopt(token)),
    isForeign: () => kept.get().isPreview || (state.get().view === null && kept.get().token === handed),
    latest: () => ({ ...kept.get(), view: state.get().view }),
    onSilence: (error) => update({ status: 'offline', error }),
    onExpiry: (error) => update({ status: 'expired', error }),
  })

  const session: OpenSession = {
    get: state.get,
    subscribe: state.subscribe,
    kept,
    keep: (change) => kept.set({ ...kept.get(), ...change }),
    ready() {
      const { view } = state.get()
      return view ? Promise.resolve(view) : (starting ??= session.refresh().finally(() => (starting = null)))
    },
    refresh: () => inTurn(async () => show(await caller.read())),
    change: (operation, sent) => busy(inTurn(async () => show(await again(operation, sent)))),
    ask: (operation, sent) => busy(inTurn(() => caller.call(operation, sent()))),
    // What is told is never worth a failure of the page that tells it.
    tell: (operation, body) => void session.ready().then(() => caller.tell(operation, body), ignore),
  }
  const refresh = (): unknown => session.refresh().catch(ignore) // the state says what is wrong
  kept.subscribe(() => around.storage.setItem(key, JSON.stringify(kept.get())))
  around.onReturn(refresh)
  data.subscribe(() => {
    const token = data.get().session?.token
    if (!token || token === given) return
    given = token
    isNew = adopt(token)
    refresh()
  })
  void session.ready().catch(ignore)
  return session

  /** @returns Whether the tab knows nothing of the session. */
  function adopt(token: string): boolean {
    const known = readKept(key, around)
    const isKnown = known.token === token
    kept.set(isKnown ? known : { ...unknownSession(token), isPreview: data.get().session?.isPreview ?? false })
    return !isKnown
  }

  async function inTurn<Answer>(work: () => Promise<Answer>): Promise<Answer> {
    const turn = turns.then(work)
    turns = turn.catch(ignore)
    try {
      return await turn
    } catch (error) {
      if (error instanceof TillwrightError) noteFailure(error)
      throw error
    }
  }

  async function busy<Answer>(work: Promise<Answer>): Promise<Answer> {
    changes += 1
    update({ isBusy: true })
    try {
      return await work
    } finally {
      changes -= 1
      update({ isBusy: changes > 0 })
    }
  }

  async function again(operation: SessionOperation, sent: () => Sent): Promise<unknown> {
    try {
      return await caller.call(operation, sent())
    } catch (error) {
      if (!(error instanceof TillwrightError) || error.status !== 409) throw error
      show(await caller.read())
      return caller.call(operation, sent())
    }
  }

  function show(answer: unknown): BuyerSession {
    const view = answer as BuyerSession // the platform's own answer, to a request that has it
    const { receipts, lines } = kept.get()
    const { order, step } = view
    const isPlaced = order.id !== null && order.status !== 'pending'
    const isSeen = receipts.some((receipt) => receipt.order.id === order.id)
    session.keep({
      isPreview: view.isPreview,
      lines: isPlaced ? [] : wantedLines(order, lines),
      currency: order.currency,
      receipts: isPlaced && !isSeen ? [...receipts, { stepId: isNew ? null : (step?.id ?? null), order }] : receipts,
    })
    isNew = false
    update({ status: 'ready', view, error: null })
    return view
  }

  function noteFailure(error: TillwrightError): void {
    const { status, view } = state.get()
    if (status === 'expired') return
    if (error.status === null) update({ status: 'offline', error })
    else update(view ? { status: 'ready', error: null } : { status: 'failed', error })
  }

  function update(change: Partial<SessionState>): void {
    state.set({ ...state.get(), ...change })
  }
}

function ignore(): void {}
