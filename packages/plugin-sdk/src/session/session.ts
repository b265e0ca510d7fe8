import type { BuyerSession } from '../api.ts'
import type { Environment } from '../environment.ts'
import type { PageData } from '../page-data.ts'
import type { Store } from '../store.ts'
import { TillwrightError } from '../tillwright-error.ts'
import { type CallContext, NEXT_TOKEN_KEY, recordSession, type SessionRecord, type SessionState } from './record.ts'
import { type ApiRequest, send, type SessionRequest } from './send.ts'

/** The session as pages use it. */
export interface SessionStore extends Store<SessionState> {
  /**
   * Resolves with the session once it has started.
   *
   * @throws {TillwrightError} If it cannot start.
   */
  ready(): Promise<BuyerSession>
  /** Reads it again, or tries again to start it. */
  refresh(): Promise<BuyerSession>
  /** Discards the session, for example after it has moved, and creates another one. */
  startOver(): Promise<BuyerSession>
}

/** The session as the other parts of the SDK use it. */
export interface OpenSession extends SessionStore, Pick<SessionRecord, 'kept' | 'keep'> {
  /** The step in the page's address; empty if none. */
  wantedStepId: string
  /**
   * Requests a change whose response is the session. Changes are sent one after the other, so that the last response is
   * the latest. After a conflict with another tab, it is tried once more.
   *
   * @param body Called when it is this change's turn, and again before a second attempt.
   */
  change(request: SessionRequest, body?: () => object): Promise<BuyerSession>
  /** Sends any other request, after all changes requested before. */
  ask(request: SessionRequest, body?: object): Promise<unknown>
  /** Sends without waiting for a response, even while the page unloads. */
  report(request: SessionRequest, body: object): void
}

/** Opens the session from the address, the page's data or the tab, or creates one. */
export function openSession(data: Store<PageData>, env: Environment): OpenSession {
  const record = recordSession(data, env)
  const { state, kept } = record
  const { inTurn, busy } = takeTurns(record)
  const { code, stepId: wantedStepId } = takeHanded(env)
  let given = data.get().session?.token
  let starting: Promise<BuyerSession> | null = null
  const baton = env.storage?.getItem(NEXT_TOKEN_KEY)
  record.adopt(baton || given)
  if (baton) env.storage?.setItem(NEXT_TOKEN_KEY, '')
  if (code) record.keep({ handed: { code, key: env.newKey() } })
  const caller = callSession({ data, env, record, wantedStepId })

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
    refresh: () => inTurn(async () => record.show(await caller.read())),
    change: (request, body) => busy(() => again(request, body), record.show),
    ask: (request, body) =>
      busy(
        () => caller.call(request, body),
        (answer) => answer,
      ),
    report: (request, body) => void session.ready().then(() => caller.report(request, body), ignore),
  }
  const refresh = (): unknown => session.refresh().catch(ignore) // the state has the error
  env.onReturn(refresh)
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
}

/** Statistics never fail a page, and errors of the session are already in its state. */
function ignore(): void {}

/** The session code and step in the page's address; empty if there are none. */
export interface Handed {
  /** A single-use code that opens a session. */
  code: string
  /** The step to show, if the buyer comes back to an origin whose session has moved here. */
  stepId: string
}

/**
 * Removes the handover code from the page's address and returns it: a fragment is not sent to servers or logged.
 * Similar parameters are removed too: a token in an address has no effect.
 */
function takeHanded({ location, history }: Pick<Environment, 'location' | 'history'>): Handed {
  const { href } = location
  const valueOf = (name: string): string => RegExp(`#(?:.*&)?tillwright-${name}=([^&]+)`).exec(href)?.[1] ?? ''
  const clean = href.replace(/tillwright-\w+=[^&]*&?/g, '').replace(/[#&]$/, '')
  if (clean !== href) history.replaceState(history.state, '', clean)
  return { code: valueOf('code'), stepId: valueOf('step') }
}

/** Runs pieces of work one after the other, whether they succeed or fail; the session's state has their failures. */
function takeTurns(record: SessionRecord) {
  let changes = 0
  let last: Promise<unknown> = Promise.resolve()
  return { inTurn, busy }

  function inTurn<Answer>(work: () => Promise<Answer>): Promise<Answer> {
    const turn = last.then(work)
    last = turn.catch(record.fail)
    return turn
  }

  /** For a change. What came of it is told together with its end, so that a page is drawn once for both. */
  function busy<Answer>(work: () => Promise<unknown>, take: (answer: unknown) => Answer): Promise<Answer> {
    if (!changes++) record.update({ isBusy: true })
    return inTurn(async () => {
      try {
        return take(await work())
      } finally {
        if (!--changes) record.update({ isBusy: false })
      }
    })
  }
}

/** Requests in the name of one session. */
export interface SessionCaller {
  /** Returns the body of the successful response. An expired session is replaced, and the request repeated. */
  call(request: SessionRequest, body?: object): Promise<unknown>
  /** Reads the session, or creates it first. */
  read(): Promise<unknown>
  /** Sends without waiting for a response, even while the page unloads. */
  report(request: SessionRequest, body: object): void
}

/** Creates the caller of the session API. */
function callSession({ data, env, record, wantedStepId }: CallContext): SessionCaller {
  const { kept } = record
  const requestOf = requester({ data, record })
  return {
    async call(request, body) {
      if (!isOpen()) await open()
      return withRenewal(request, body)
    },
    read: () => (isOpen() ? withRenewal('GET /session') : open()),
    report(request, body) {
      send({ ...requestOf(request, body), keepalive: true }, env).catch(() => {}) // the response does not matter
    },
  }

  async function withRenewal(request: SessionRequest, body?: object): Promise<unknown> {
    const key = env.newKey()
    const attempt = (): Promise<unknown> => send({ ...requestOf(request, body), key }, env)
    try {
      return await attempt()
    } catch (error) {
      if (!(error instanceof TillwrightError) || error.status !== 401) throw error
      await renew(error)
      return attempt()
    }
  }

  async function renew(refusal: TillwrightError): Promise<void> {
    const { renewSession } = await import('./renew-session.ts') // rarely needed
    return renewSession(refusal, {
      data,
      env,
      record,
      wantedStepId,
      begin,
      requestOf,
      ask: (request) => send(request, env),
    })
  }

  function isOpen(): boolean {
    return !!kept.get().token && !kept.get().handed
  }

  /** Redeems a code in the address, resumes the tab's session, or creates one. */
  async function open(): Promise<unknown> {
    const taken = kept.get().handed && (await redeem())
    return taken || (kept.get().token ? withRenewal('GET /session') : begin())
  }

  async function redeem(): Promise<BuyerSession | null> {
    const { takeOver } = await import('./hand-over.ts') // only few pages have an origin of their own
    return takeOver(record, ({ code, key }) => adopt({ ...requestOf('POST /sessions/redeem', { code }), key }))
  }

  async function begin(): Promise<BuyerSession> {
    const { funnel, storeId } = data.get()
    const body = funnel ? { funnelId: funnel.id, stepId: funnel.stepId } : { storeId }
    return adopt(requestOf('POST /sessions', body))
  }

  async function adopt(request: ApiRequest): Promise<BuyerSession> {
    const answer = await send({ ...request, bearer: data.get().publishableKey }, env)
    const { token, session } = answer as { token: string; session: BuyerSession } // as returned by the platform
    record.takeOver(token, session.sessionId)
    return session
  }
}

/** Creates requests in the name of the current session. */
function requester({ data, record }: Pick<CallContext, 'data' | 'record'>) {
  const onSilence = (error: TillwrightError): void => record.update({ status: 'offline', error })
  return (request: SessionRequest, body?: object): ApiRequest => {
    const [method = '', path] = request.split(' ')
    const url = `${data.get().apiUrl}/api/session/v1${path}`
    return { method, url, body, bearer: record.kept.get().token, onSilence }
  }
}
