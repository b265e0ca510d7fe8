/** What a page asks of its session: method, and path below `/api/session/v1`. A test holds it against the contract. */
export type SessionRequest =
  | 'POST /sessions'
  | 'POST /sessions/redeem'
  | 'GET /session'
  | 'POST /session/hand-over'
  | 'POST /session/order/confirm'
  | 'PUT /session/order/lines'
  | 'PUT /session/order/shipping'
  | 'POST /session/promotion-codes'
  | `DELETE /session/promotion-codes?code=${string}`
  | 'PUT /session/contact'
  | 'PUT /session/address'
  | 'POST /session/pay'
  | `POST /session/payments/${string}/continue`
  | 'POST /session/next'
  | 'POST /session/go-to'
  | 'POST /session/events'
