import type { BuyerSession } from '../api/buyer-session.ts'
import type { TillwrightError } from '../tillwright-error.ts'
import type { Calling } from './calling.ts'
import type { KeptSession } from './kept-session.ts'
import type { ApiRequest } from './send.ts'
import type { SessionRequest } from './session-request.ts'

/** What a session is renewed with. It comes from whoever calls, because this module is loaded by itself. */
export interface Renewing extends Omit<Calling, 'around'> {
  begin(): Promise<unknown>
  requestOf(request: SessionRequest, body: object): ApiRequest
  ask(request: ApiRequest): Promise<unknown>
}

/**
 * Puts another session in the place of one whose token was refused, with what was said in that one. A preview's is asked
 * for where the page's data say; a buyer's is begun.
 *
 * @throws {TillwrightError} The refusal itself, for a preview that nobody renews.
 */
export async function renewSession(refusal: TillwrightError, renewing: Renewing): Promise<void> {
  const { data, record, handed, begin, requestOf, ask } = renewing
  const { view } = record.state.get()
  const before = record.kept.get()
  const { renewUrl } = data.get()
  if (renewUrl) {
    const { token } = (await ask({ method: 'POST', url: renewUrl })) as { token: string } // the dev server's own answer
    record.adopt(token)
  } else if (before.isPreview || (!view && before.token === handed)) {
    // A buyer's session must not stand in for a preview, in which nothing is sold.
    record.update({ status: 'expired', error: refusal })
    throw refusal
  } else {
    await begin()
  }
  // The buyer may still look at what was bought; at which steps counts in that session alone.
  record.keep({ receipts: before.receipts.map((receipt) => ({ ...receipt, stepId: null })) })
  for (const [request, body] of lostIn(before, view)) {
    // What is no longer sold, or a code that has ended, is left out: the session shows what is there.
    await ask(requestOf(request, body)).catch((error: TillwrightError) => {
      if (error.status === null || error.status >= 500) throw error
    })
  }
}

/** The cart, codes, contact, addresses and shipping of a session, to be said in another one. */
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
