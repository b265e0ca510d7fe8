import type { BuyerSession } from '../api/buyer-session.ts'
import { TillwrightError } from '../tillwright-error.ts'
import type { Calling } from './calling.ts'
import { send, type ApiRequest } from './send.ts'
import type { SessionRequest } from './session-request.ts'

/** Calls of one session. */
export interface SessionCaller {
  /** Answers the body of the success. A session that has expired is replaced, and the call made again. */
  call(request: SessionRequest, body?: object): Promise<unknown>
  /** Reads the session; begins it before there is one. */
  read(): Promise<unknown>
  /** Sends something that nobody waits for, also while the page goes away. */
  tell(request: SessionRequest, body: object): void
}

/** Makes what calls the session API. */
export function callSession({ data, around, record, handed }: Calling): SessionCaller {
  const { kept } = record
  return {
    async call(request, body) {
      if (!kept.get().token) await begin()
      return withRenewal(request, body)
    },
    read: () => (kept.get().token ? withRenewal('GET /session') : begin()),
    tell(request, body) {
      send({ ...requestOf(request, body), keepalive: true }, around).catch(() => {}) // nobody waits to hear of it
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
    const { renewSession } = await import('./renew-session.ts') // few buyers ever need it
    return renewSession(refusal, { data, record, handed, begin, requestOf, ask: (request) => send(request, around) })
  }

  async function begin(): Promise<BuyerSession> {
    const { funnel, storeId, publishableKey } = data.get()
    const body = funnel ? { funnelId: funnel.id, stepId: funnel.stepId } : { storeId }
    const answer = await send({ ...requestOf('POST /sessions', body), bearer: publishableKey }, around)
    const { token, session } = answer as { token: string; session: BuyerSession } // as the platform answers it
    record.adopt(token)
    return session
  }

  function requestOf(request: SessionRequest, body?: object): ApiRequest {
    const [method = '', path] = request.split(' ')
    return {
      method,
      url: `${data.get().apiUrl}/api/session/v1${path}`,
      body,
      bearer: kept.get().token,
      onSilence: (error) => record.update({ status: 'offline', error }),
    }
  }
}
