/** What the platform has on record of the session that pages are bound to, without what is secret or about a person. */
export interface Inspection {
  sessionId: string
  /** The oldest first. */
  events: Found<InspectedEvent>
  /** Every payment of the session with all that the account's key may see of it, the oldest first. */
  payments: Found<InspectedPayment>
  /** Every authentication of the session's payments, the oldest first. */
  authentications: Found<InspectedAuthentication>
}

/** What was found. */
export interface Found<Item> {
  items: readonly Item[]
  /** Why there is no telling, such as a key that may not read it; `null` where there is. */
  missing: string | null
}

/** Something that happened in the session. */
export interface InspectedEvent {
  id: string
  /** Such as `s_order_paid`. */
  type: string
  /** ISO 8601. */
  at: string
  properties: unknown
}

/** A payment of the session. */
export interface InspectedPayment {
  id: string
  status: string
  resource: unknown
}

/** A 3-D Secure session of a payment. */
export interface InspectedAuthentication {
  id: string
  paymentId: string | null
  /** The session's own status, and what it comes to in a word. */
  status: string
  outcome: string
  messages: readonly InspectedMessage[]
}

/** A message of EMV 3DS on its way. */
export interface InspectedMessage {
  position: number
  /** Since the first message. */
  afterMs: number
  /** Such as `AReq`. */
  type: string
  from: string
  to: string
  message: unknown
}
