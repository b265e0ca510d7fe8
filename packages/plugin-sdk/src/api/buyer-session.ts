import type { OrderLine, SessionOrder } from './session-order.ts'

/** A buyer's session as the platform shows it to the buyer's own page. Source: `GET /api/session/v1/session`. */
export interface BuyerSession {
  sessionId: string
  storeId: string
  /** Whether it is a preview, which sells nothing. */
  isPreview: boolean
  /** ISO 8601. Until when the token is good; using it puts that off, up to a day. */
  expiresAt: string
  customer: SessionCustomer
  funnel: { id: string; name: string; variantId: string | null } | null
  /** Where the buyer is; `null` without a funnel. */
  step: SessionStep | null
  /** Where `next` leads to; `null` at the end. */
  nextStep: NextStep | null
  furthestStepId: string | null
  /** Whether the buyer has come to the end of the funnel. */
  isCompleted: boolean
  order: SessionOrder
  /** The payment of the order, or the last one that failed; `null` before the first. */
  payment: SessionPayment | null
  /** What an earlier page has put into the order, until the buyer confirms it; `null` when there is nothing to confirm. */
  broughtAlong: { lines: readonly OrderLine[]; confirmation: string } | null
  /** The cards that were used in this session, and can be charged again in it. */
  paymentInstruments: readonly SessionCard[]
  /** What a preview has asked for; `null` for a buyer's session. */
  preview: SessionPreview | null
}

/** What follows the step that the buyer is at. */
export interface NextStep {
  id: string
  /** `checkout`, `upsell`, `thank_you` or a word of a plugin. */
  type: string
  name: string
  /** Where it stands below the funnel's address. */
  path: string
  /** Where it is served, if the platform knows. */
  url?: string | null
}

/** A step of the funnel that the buyer is at. */
export interface SessionStep extends NextStep {
  isEntry: boolean
  pluginId: string | null
  pageId: string | null
  /** Settings that the funnel has for this step. */
  settings: Record<string, unknown>
}

/** The buyer, by what was said in this session: empty or `null` where nothing was. */
export interface SessionCustomer {
  id: string
  email: string
  firstName: string
  lastName: string
  phone: string | null
  billingAddress: Address | null
  shippingAddress: Address | null
}

/** Where somebody lives, or where goods go. */
export interface Address {
  /** Street and number. */
  line1?: string | null | undefined
  /** Flat, floor or company. */
  line2?: string | null | undefined
  city?: string | null | undefined
  /** State, province or county. */
  state?: string | null | undefined
  postalCode?: string | null | undefined
  /** Upper-case ISO 3166-1 alpha-2. */
  country?: string | null | undefined
}

/** A payment as its buyer's page may see it. */
export interface SessionPayment {
  id: string
  orderId: string
  paymentInstrumentId: string
  status: PaymentStatus
  requireAction: string
  /** What the page needs to go on, when `status` is `requires_action`. */
  nextAction: { type: 'threeds_auth'; actionToken: string; sessionId: string } | null
  /** In minor units of `currency`. */
  amount: number
  /** Upper-case ISO 4217. */
  currency: string
  declineCode: string | null
}

/** Where a payment stands. */
export type PaymentStatus =
  | 'created'
  | 'requires_action'
  | 'processing'
  | 'authorized'
  | 'succeeded'
  | 'declined'
  | 'failed'
  | 'canceled'
  | 'partially_refunded'
  | 'refunded'

/** A card that was used in the session. */
export interface SessionCard {
  id: string
  card: { last4: string; brand: string; expYear: number; expMonth: number }
}

/** What a preview has asked for. */
export interface SessionPreview {
  enableSticky: boolean
  currency: string | null
  locale: string | null
  testCardPreset: string | null
  previewShippingCountry: string | null
  builderOptions: Record<string, unknown>
  contextData: Record<string, unknown>
}
