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
 * from `renewUrl` of the page's data; a buyer's is started.
 *
 * @throws {TillwrightError} The refusal itself, for a preview without `renewUrl`, and for a session that was handed
 *   over.
 */
export async function renewSession(refusal: TillwrightError, renewing: RenewalContext): Promise<void> {
  const { data, record, begin, requestOf, ask } = renewing
  const { view } = record.state.get()
  const before = record.kept.get()
  if (refusal.code === 'session_token_replaced') {
    // A page that the browser has kept may have been left since: the tab knows where its session is by now.
    if (renewing.around.storage) record.adopt()
    const { token, wentTo } = record.kept.get()
    if (!wentTo && token !== before.token) return
    follow(renewing)
    record.update({ status: 'moved', error: refusal })
    throw refusal
  }
  const { renewUrl } = data.get()
  if (renewUrl) {
    const { token } = (await ask({ method: 'POST', url: renewUrl })) as { token: string } // the dev server's own answer
    record.adopt(token)
  } else if (before.isPreview) {
    // A buyer's session must not stand in for a preview, in which nothing is sold.
    record.update({ status: 'expired', error: refusal })
    throw refusal
  } else {
    await begin()
  }
  // The buyer may still look at what was bought; at which steps counts in that session alone.
  record.keep({ receipts: before.receipts.map((receipt) => ({ ...receipt, stepId: null })) })
  for (const [request, body] of lostIn(before, view)) {
    // Products that are no longer sold and codes that have ended are left out.
    await ask(requestOf(request, body)).catch((error: TillwrightError) => {
      if (error.status === null || error.status >= 500) throw error
    })
  }
}

/**
 * Follows a session to the page that it was handed over to, and asks for the step of this one: so the back button leads
 * to where it points, where the platform allows that. Once; if the session is not there either, the buyer decides.
 */
function follow({ data, around, record, wantedStepId }: RenewalContext): void {
  const { wentTo } = record.kept.get()
  if (!wentTo) return
  record.keep({ wentTo: '' })
  around.location.replace(`${wentTo}#tillwright-step=${wantedStepId || (data.get().funnel?.stepId ?? '')}`)
}

/** The requests that repeat cart, codes, contact, addresses and shipping in another session. */
function lostIn({ lines, currency }: KeptSession, view: BuyerSession | null): [SessionRequest, object][] {
  const requests: [SessionRequest, object][] = []
  if (lines.length > 0) requests.push(['PUT /session/order/lines', { lines, currency }])
  if (view === null) return requests
  const { customer, order } = view
  const codes = lines.length > 0 ? order.promotionCodes : []
  requests.push(...codes.map((code): [SessionRequest, object] => ['POST /session/promotion-codes', { code }]))
  if (customer.email !== '') requests.push(['PUT /session/contact', customer])
  requests.push(['PUT /session/address', customer])
  // Behind the address, which decides what there is to choose from.
  const shippingOptionId = order.shipping?.optionId
  return shippingOptionId ? [...requests, ['PUT /session/order/shipping', { shippingOptionId }]] : requests
}
