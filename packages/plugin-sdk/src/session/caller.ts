import type { BuyerSession } from '../api.ts'
import { TillwrightError } from '../tillwright-error.ts'
import type { CallContext } from './record.ts'
import { type ApiRequest, send, type SessionRequest } from './send.ts'

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
export function callSession({ data, env, record, wantedStepId }: CallContext): SessionCaller {
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
