import type { BuyerSession } from '../api.ts'
import type { TillwrightError } from '../tillwright-error.ts'
import type { CallContext, KeptSession } from './record.ts'
import type { ApiRequest, SessionRequest } from './send.ts'

/** The context of `renewSession`, passed in because this module is loaded separately. */
export interface RenewalContext extends CallContext {
  begin(): Promise<unknown>
  requestOf(request: SessionRequest, body: object): ApiRequest
  ask(request: ApiRequest): Promise<unknown>
}

/**
 * Replaces a session whose token was refused, and repeats the buyer's input in the new one. A preview's session comes
 * from `renewUrl` in the page's data; a buyer's is created.
 *
 * @throws {TillwrightError} The refusal itself, for a preview without `renewUrl`, and for a session that was handed
 *   over.
 */
export async function renewSession(refusal: TillwrightError, renewing: RenewalContext): Promise<void> {
  const { data, record, begin, requestOf, ask } = renewing
  const { view } = record.state.get()
  const before = record.kept.get()
  if (refusal.code === 'session_token_replaced') {
    // A page from the back/forward cache may be outdated: the tab knows where its session is now.
    if (renewing.env.storage) record.adopt()
    const { token, wentTo } = record.kept.get()
    if (!wentTo && token !== before.token) return
    follow(renewing)
    record.update({ status: 'moved', error: refusal })
    throw refusal
  }
  const { renewUrl } = data.get()
  if (renewUrl) {
    const { token } = (await ask({ method: 'POST', url: renewUrl })) as { token: string } // the dev server's own response
    record.adopt(token)
  } else if (before.isPreview) {
    // A buyer's session must not replace a preview, in which nothing is sold.
    record.update({ status: 'expired', error: refusal })
    throw refusal
  } else {
    await begin()
  }
  // The buyer can still see the receipts; their steps belong to the old session only.
  record.keep({ receipts: before.receipts.map((receipt) => ({ ...receipt, stepId: null })) })
  for (const [request, body] of lostIn(before, view)) {
    // Products no longer on sale and expired codes are left out.
    await ask(requestOf(request, body)).catch((error: TillwrightError) => {
      if (error.status === null || error.status >= 500) throw error
    })
  }
}

/**
 * Follows a session to the page it was handed over to, and requests this page's step there: so the back button works as
 * expected, if the platform allows it. Only once; if the session is not there either, the buyer decides.
 */
function follow({ data, env, record, wantedStepId }: RenewalContext): void {
  const { wentTo } = record.kept.get()
  if (!wentTo) return
  record.keep({ wentTo: '' })
  env.location.replace(`${wentTo}#tillwright-step=${wantedStepId || (data.get().funnel?.stepId ?? '')}`)
}

/** The requests that restore cart, codes, contact, addresses and shipping in another session. */
function lostIn({ lines, currency }: KeptSession, view: BuyerSession | null): [SessionRequest, object][] {
  const requests: [SessionRequest, object][] = []
  if (lines.length > 0) requests.push(['PUT /session/order/lines', { lines, currency }])
  if (view === null) return requests
  const { customer, order } = view
  const codes = lines.length > 0 ? order.promotionCodes : []
  requests.push(...codes.map((code): [SessionRequest, object] => ['POST /session/promotion-codes', { code }]))
  if (customer.email !== '') requests.push(['PUT /session/contact', customer])
  requests.push(['PUT /session/address', customer])
  // After the address, which determines the available options.
  const shippingOptionId = order.shipping?.optionId
  return shippingOptionId ? [...requests, ['PUT /session/order/shipping', { shippingOptionId }]] : requests
}
