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
  /** Lines that the session has come with, until the buyer confirms them; `null` if there are none. */
  broughtAlong: { lines: readonly OrderLine[]; confirmation: string } | null
  /** The cards that were used in this session, and can be charged again in it. */
  paymentInstruments: readonly SessionCard[]
  /** The preview's options; `null` for a buyer's session. */
  preview: SessionPreview | null
}

/** The step after the current one. */
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

/** The buyer, as entered in this session; empty or `null` where nothing was. */
export interface SessionCustomer {
  id: string
  email: string
  firstName: string
  lastName: string
  phone: string | null
  billingAddress: Address | null
  shippingAddress: Address | null
}

/** A postal address. */
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
  /** The action to take when `status` is `requires_action`. */
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

/** The options of a preview. */
export interface SessionPreview {
  enableSticky: boolean
  currency: string | null
  locale: string | null
  testCardPreset: string | null
  previewShippingCountry: string | null
  builderOptions: Record<string, unknown>
  contextData: Record<string, unknown>
}

/** The session's order: the open one, or the last one placed. All amounts are in minor units of `currency`. */
export interface SessionOrder {
  /** `null` until it is being paid. */
  id: string | null
  /** `open` can be changed, `pending` is being paid. */
  status: 'open' | 'pending' | 'paid' | 'refunded' | 'canceled'
  /** Upper-case ISO 4217. */
  currency: string
  /** The total. */
  amount: number
  /** The lines before discounts and without shipping. */
  subtotal: number
  discountAmount: number
  shippingAmount: number
  shippingDiscount: number
  /** The shipping of the order; `null` if nothing has to be shipped. */
  shipping: SessionShipping | null
  lines: readonly OrderLine[]
  /** The codes that the buyer has entered. */
  promotionCodes: readonly string[]
  /** Which promotions reduce the order, and which of the buyer's codes were left out and why. */
  promotions: { applied: readonly AppliedPromotion[]; leftOut: readonly LeftOutPromotion[] }
  /** Why an open order cannot be priced any more, such as a product that was withdrawn; or `null`. */
  problem: string | null
}

/** The shipping of an order. The store sets the options, the platform prices them. */
export interface SessionShipping {
  /** The option that the order is priced with: the buyer's choice, else the first that fits; `null` if none does. */
  optionId: string | null
  /** Those that fit the currency and the destination; of an order that is placed, the one that it was placed with. */
  options: readonly ShippingOption[]
}

/** A way in which the store ships. */
export interface ShippingOption {
  id: string
  name: string
  /** Such as when it arrives; may be empty. */
  description: string
  /** The price for this order, before promotions. */
  amount: number
}

/** A line of an order. */
export interface OrderLine extends LineRef {
  productId: string
  priceId: string
  name: string
  quantity: number
  unitAmount: number
  /** The discount of the line, including its share of the order's discounts. */
  discountAmount: number
  /** Unit price times quantity, less the discount and what is paid later. */
  amount: number
  /** The amount due when a free trial is over. */
  deferredAmount: number
  /** The interval of payments; `null` for a one-time purchase. */
  recurring: Recurrence | null
  /** The promotion that gave the line as a gift; `null` for a line that was bought. */
  promotionId: string | null
}

/** A promotion that reduces the order. */
export interface AppliedPromotion {
  promotionId: string
  name: string
  code: string | null
  /** The amount saved; 0 for a gift or a free trial. */
  saving: number
  /** ISO 8601. When the promotion ends, and with it this price; `null` for one without an end. */
  endsAt: string | null
}

/** A code that does not reduce the order. */
export interface LeftOutPromotion {
  promotionId: string
  name: string
  code: string | null
  /** The reason, to branch on: `rules`, `ended`, `usage_limit`, `combination`, `saves_nothing` ... */
  clause: string
  /** The reason in English, with details. */
  message: string
}

/** The interval of recurring payments. */
export interface Recurrence {
  /** `day`, `week`, `month`, `year`. */
  interval: string
  intervalCount: number
  billingTiming: string
  /** Free days before the first period; 0 for none. */
  trialDays: number
}

/** Identifies a line. */
export interface LineRef {
  variantId: string
  /** A price of the variant that is offered to pages, if not its default. */
  priceId?: string
}

/** A line that is to be bought. */
export interface WantedLine extends LineRef {
  /** 1 by default. */
  quantity?: number
}
