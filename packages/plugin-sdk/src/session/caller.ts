import type { BuyerSession } from '../api.ts'
import { TillwrightError } from '../tillwright-error.ts'
import type { CallContext } from './record.ts'
import { type ApiRequest, send, type SessionRequest } from './send.ts'

/** Calls of one session. */
export interface SessionCaller {
  /** Answers the body of the success. A session that has expired is replaced, and the call made again. */
  call(request: SessionRequest, body?: object): Promise<unknown>
  /** Reads the session; begins it before there is one. */
  read(): Promise<unknown>
  /** Sends without waiting for the answer, even while the page unloads. */
  tell(request: SessionRequest, body: object): void
}

/** Makes the caller of the session API. */
export function callSession({ data, around, record, wantedStepId }: CallContext): SessionCaller {
  const { kept } = record
  const requestOf = requester({ data, record })
  return {
    async call(request, body) {
      if (!isOpen()) await open()
      return withRenewal(request, body)
    },
    read: () => (isOpen() ? withRenewal('GET /session') : open()),
    tell(request, body) {
      send({ ...requestOf(request, body), keepalive: true }, around).catch(() => {}) // the answer does not matter
    },
  }

  async function withRenewal(request: SessionRequest, body?: object): Promise<unknown> {
    const key = around.newKey()
    const attempt = (): Promise<unknown> => send({ ...requestOf(request, body), key }, around)
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
      around,
      record,
      wantedStepId,
      begin,
      requestOf,
      ask: (request) => send(request, around),
    })
  }

  function isOpen(): boolean {
    return !!kept.get().token && !kept.get().handed
  }

  /** Redeems what the address has brought, goes on with what the tab has, or begins. */
  async function open(): Promise<unknown> {
    const taken = kept.get().handed && (await redeem())
    return taken || (kept.get().token ? withRenewal('GET /session') : begin())
  }

  async function redeem(): Promise<BuyerSession | null> {
    const { takeOver } = await import('./hand-over.ts') // few pages are on an origin of their own
    return takeOver(record, ({ code, key }) => adopt({ ...requestOf('POST /sessions/redeem', { code }), key }))
  }

  async function begin(): Promise<BuyerSession> {
    const { funnel, storeId } = data.get()
    const body = funnel ? { funnelId: funnel.id, stepId: funnel.stepId } : { storeId }
    return adopt(requestOf('POST /sessions', body))
  }

  async function adopt(request: ApiRequest): Promise<BuyerSession> {
    const answer = await send({ ...request, bearer: data.get().publishableKey }, around)
    const { token, session } = answer as { token: string; session: BuyerSession } // as the platform answers it
    record.takeOver(token, session.sessionId)
    return session
  }
}

/** Makes requests in the name of the session that there is. */
function requester({ data, record }: Pick<CallContext, 'data' | 'record'>) {
  const onSilence = (error: TillwrightError): void => record.update({ status: 'offline', error })
  return (request: SessionRequest, body?: object): ApiRequest => {
    const [method = '', path] = request.split(' ')
    const url = `${data.get().apiUrl}/api/session/v1${path}`
    return { method, url, body, bearer: record.kept.get().token, onSilence }
  }
}
