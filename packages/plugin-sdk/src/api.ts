/** A buyer's session as the platform returns it to the buyer's own page. Source: `GET /api/session/v1/session`. */
export interface BuyerSession {
  sessionId: string
  storeId: string
  /** Whether the session is a preview, which sells nothing. */
  isPreview: boolean
  /** ISO 8601. When the token expires; each use extends it, up to one day. */
  expiresAt: string
  customer: SessionCustomer
  funnel: { id: string; name: string; variantId: string | null } | null
  /** The buyer's current step; `null` without a funnel. */
  step: SessionStep | null
  /** The step that `next` leads to; `null` at the end. */
  nextStep: NextStep | null
  furthestStepId: string | null
  /** Whether the buyer has completed the funnel. */
  isCompleted: boolean
  /** The merchant's own page for buyers who have paid; `null` before that, and if the store has none. */
  thankYouUrl: string | null
  order: SessionOrder
  /** The payment of the order, or the last failed one; `null` before the first. */
  payment: SessionPayment | null
  /** Lines brought along from another page, until the buyer confirms them; `null` if there are none. */
  broughtAlong: { lines: readonly OrderLine[]; confirmation: string } | null
  /** The cards used in this session, which can be charged again in it. */
  paymentInstruments: readonly SessionCard[]
  /** The preview's options; `null` for a buyer's session. */
  preview: SessionPreview | null
}

/** The step after the current one. */
export interface NextStep {
  id: string
  /** `checkout`, `upsell`, `thank_you` or a type of your plugin. */
  type: string
  name: string
  /** The path below the funnel's address. */
  path: string
  /** The step's address, if the platform knows it. */
  url?: string | null
}

/** The buyer's current step of the funnel. */
export interface SessionStep extends NextStep {
  isEntry: boolean
  pluginId: string | null
  pageId: string | null
  /** The funnel's settings for this step. */
  settings: Record<string, unknown>
}

/** The buyer, as entered in this session; empty or `null` where nothing was entered. */
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
  /** Apartment, floor or company. */
  line2?: string | null | undefined
  city?: string | null | undefined
  /** State, province or county. */
  state?: string | null | undefined
  postalCode?: string | null | undefined
  /** Upper-case ISO 3166-1 alpha-2. */
  country?: string | null | undefined
}

/** A payment as its buyer's page sees it. */
export interface SessionPayment {
  id: string
  orderId: string
  /** The card; `null` where the method is none. */
  paymentInstrumentId: string | null
  /** Method of the payment. */
  paymentMethod: {
    type: PaymentMethodType
    /** The account that is debited; `null` for other methods. */
    sepaDebit: { ibanLast4: string; mandateReference: string } | null
    /** How the voucher is paid, with a `url` to show it and until when (ISO 8601); `null` for other methods. */
    voucher: { code: string; url: string | null; expiresAt: string } | null
  }
  status: PaymentStatus
  requireAction: string
  /** The action to take when `status` is `requires_action`. */
  nextAction:
    | { type: 'threeds_auth'; actionToken: string; sessionId: string }
    | { type: 'redirect'; url: string }
    | null
  /** In minor units of `currency`. */
  amount: number
  /** Upper-case ISO 4217. */
  currency: string
  declineCode: string | null
}

/**
 * How a payment is made. `ideal` and `paypal` redirect the buyer to another page and back, `sepa_debit` debits a bank
 * account, `voucher` is a code to pay with elsewhere. `none` is for an order that costs nothing.
 */
export type PaymentMethodType = 'card' | 'ideal' | 'paypal' | 'sepa_debit' | 'voucher' | 'none'

/** A method that is no card, with what the buyer has said. An IBAN is sent on and not kept. */
export type OtherMethod =
  | { type: 'ideal' | 'paypal' | 'voucher' | 'none' }
  | { type: 'sepa_debit'; iban: string; holderName: string; mandateAccepted: true }

/** The status of a payment. */
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

/** A card used in the session. */
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
  /** `null` until the buyer starts to pay. */
  id: string | null
  /** `open` orders can be changed, `pending` orders are being paid. */
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
  /** The tax added to the lines and the shipping, as answered by the merchant's server; 0 for none. */
  taxAmount: number
  /** The shipping of the order; `null` if nothing has to be shipped. */
  shipping: SessionShipping | null
  lines: readonly OrderLine[]
  /** The codes that the buyer has entered. */
  promotionCodes: readonly string[]
  /** The promotions that discount the order, and the buyer's codes that do not apply and why. */
  promotions: { applied: readonly AppliedPromotion[]; leftOut: readonly LeftOutPromotion[] }
  /** Why an open order cannot be paid as it is, such as a product that was withdrawn: the rest is priced; otherwise `null`. */
  problem: string | null
}

/** The shipping of an order. The store sets the options, and the platform their prices. */
export interface SessionShipping {
  /** The option used to price the order: the buyer's choice, otherwise the first that fits; `null` if none does. */
  optionId: string | null
  /** Options that fit the currency and the destination; after the order is placed, only the chosen one. */
  options: readonly ShippingOption[]
}

/** A shipping option of the store. */
export interface ShippingOption {
  id: string
  name: string
  /** Further details, such as the delivery time; may be empty. */
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
  /** Unit price times quantity, less the discount and the deferred amount. */
  amount: number
  /** The amount due after a free trial. */
  deferredAmount: number
  /** The interval of payments; `null` for a one-time purchase. */
  recurring: Recurrence | null
  /** The promotion that added the line as a gift; `null` for a bought line. */
  promotionId: string | null
}

/** A promotion that applies to the order. */
export interface AppliedPromotion {
  promotionId: string
  name: string
  code: string | null
  /** The amount saved; 0 for a gift or a free trial. */
  saving: number
  /** ISO 8601. When the promotion, and with it this price, ends; `null` if it has no end. */
  endsAt: string | null
}

/** A code that does not apply to the order. */
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
  /** A price of the variant that is available to pages; its default if left out. */
  priceId?: string
}

/** A line to buy. */
export interface WantedLine extends LineRef {
  /** 1 by default. */
  quantity?: number
}
