import type { BuyerSession } from '../api/buyer-session.ts'
import type { PageData } from '../page/page-data.ts'
import type { Surroundings } from '../page/surroundings.ts'
import type { Store } from '../store.ts'
import { TillwrightError } from '../tillwright-error.ts'
import type { KeptSession } from './kept-session.ts'
import { restoreSession } from './restore-session.ts'
import { initOf, send, type ApiRequest } from './send.ts'
import { addressOf, type Sent, type SessionOperation } from './session-operations.ts'

/** What calls are made with, and who hears of what comes in between. */
export interface Calling {
  data: Store<PageData>
  around: Surroundings
  token(): string
  /** Another session takes the place of the one that has expired, or of none. */
  adopt(token: string): void
  /** Whether the session was begun elsewhere, as previews are, so that none of our own may stand in for it. */
  isForeign(): boolean
  /** What the session was when it was last seen. */
  latest(): Pick<KeptSession, 'lines' | 'currency'> & { view: BuyerSession | null }
  onSilence(error: TillwrightError): void
  onExpiry(error: TillwrightError): void
}

/** Calls of one session. */
export interface SessionCaller {
  /** Answers the body of the success. A session that has expired is replaced, and the call made again. */
  call(operation: SessionOperation, sent: Sent): Promise<unknown>
  /** Reads the session; begins it before there is one. */
  read(): Promise<unknown>
  /** Sends something once, and waits for no answer. */
  tell(operation: SessionOperation, body: object): void
}

/** Makes what calls the session API. */
export function callSession(calling: Calling): SessionCaller {
  const { data, around, token } = calling

  return {
    async call(operation, sent) {
      if (!token()) await begin()
      return withRenewal(operation, sent)
    },
    read: () => (token() ? withRenewal('get', {}) : begin()),
    tell(operation, body) {
      const request = requestOf(operation, { body })
      around.fetch(request.url, { ...initOf(request), keepalive: true }).catch(() => {}) // there is nobody to hear of it
    },
  }

  async function withRenewal(operation: SessionOperation, sent: Sent): Promise<unknown> {
    const key = around.newKey()
    const attempt = (): Promise<unknown> => send({ ...requestOf(operation, sent), key }, around)
    try {
      return await attempt()
    } catch (error) {
      if (!(error instanceof TillwrightError) || error.status !== 401) throw error
      await renew(error)
      return attempt()
    }
  }

  async function renew(refusal: TillwrightError): Promise<void> {
    const before = calling.latest()
    const { renewUrl } = data.get()
    if (renewUrl) {
      const answer = await send({ method: 'POST', url: renewUrl, onSilence: calling.onSilence }, around)
      calling.adopt((answer as { token: string }).token) // the dev server's answer
    } else if (calling.isForeign()) {
      calling.onExpiry(refusal)
      throw refusal
    } else {
      await begin()
    }
    await restoreSession(before, (operation, sent) => send(requestOf(operation, sent), around))
  }

  async function begin(): Promise<BuyerSession> {
    const { funnel, storeId, publishableKey } = data.get()
    const body = funnel ? { funnelId: funnel.id, stepId: funnel.stepId } : { storeId }
    const answer = await send({ ...requestOf('begin', { body }), bearer: publishableKey }, around)
    const { token: begun, session } = answer as { token: string; session: BuyerSession } // as the platform answers it
    calling.adopt(begun)
    return session
  }

  function requestOf(operation: SessionOperation, sent: Sent): ApiRequest {
    const address = addressOf(operation, sent, data.get().apiUrl)
    return { ...address, body: sent.body, bearer: token(), onSilence: calling.onSilence }
  }
}
