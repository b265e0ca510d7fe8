/** What the buyer is about to buy, or has bought at last. All amounts are in minor units of `currency`. */
export interface SessionOrder {
  /** `null` until it is being paid. */
  id: string | null
  /** `open` can be changed, `pending` is being paid. */
  status: 'open' | 'pending' | 'paid' | 'refunded' | 'canceled'
  /** Upper-case ISO 4217. */
  currency: string
  /** What the order costs. */
  amount: number
  /** The lines before discounts and without shipping. */
  subtotal: number
  discountAmount: number
  shippingAmount: number
  shippingDiscount: number
  /** How the goods get to the buyer; `null` where nothing has to be shipped. */
  shipping: SessionShipping | null
  lines: readonly OrderLine[]
  /** The codes that the buyer has entered. */
  promotionCodes: readonly string[]
  /** Which promotions reduce the order, and which of the buyer's codes were left out and why. */
  promotions: { applied: readonly AppliedPromotion[]; leftOut: readonly LeftOutPromotion[] }
  /** Why an open order cannot be priced any more, such as a product that was withdrawn; or `null`. */
  problem: string | null
}

/** How the goods of an order get to the buyer. The store sets the options, the platform prices them. */
export interface SessionShipping {
  /** What the order is priced with: the buyer's choice, else the first option that fits; `null` where none does. */
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
  /** What it costs for this order, before promotions. */
  amount: number
}

/** A line of an order. */
export interface OrderLine extends LineRef {
  productId: string
  priceId: string
  name: string
  quantity: number
  unitAmount: number
  /** What promotions take off the line, its share of the order's discounts included. */
  discountAmount: number
  /** Unit price times quantity, less the discount and what is paid later. */
  amount: number
  /** What is paid when a free trial is over. */
  deferredAmount: number
  /** How often it is paid; `null` for what is bought once. */
  recurring: Recurrence | null
  /** The promotion that gave the line as a gift; `null` for a line that was bought. */
  promotionId: string | null
}

/** A promotion that reduces the order. */
export interface AppliedPromotion {
  promotionId: string
  name: string
  code: string | null
  /** What it takes off; 0 for a gift or a free trial. */
  saving: number
  /** ISO 8601. When the promotion ends, and with it this price; `null` for one without an end. */
  endsAt: string | null
}

/** A code that does not reduce the order. */
export interface LeftOutPromotion {
  promotionId: string
  name: string
  code: string | null
  /** What kept it out, a word to branch on: `rules`, `ended`, `usage_limit`, `combination`, `saves_nothing` ... */
  clause: string
  /** The same in English, with what was lacking. */
  message: string
}

/** How often something is paid. */
export interface Recurrence {
  /** `day`, `week`, `month`, `year`. */
  interval: string
  intervalCount: number
  billingTiming: string
  /** How many days cost nothing before the first period; 0 for none. */
  trialDays: number
}

/** What tells one line from another. */
export interface LineRef {
  variantId: string
  /** A price of the variant that is offered to pages, if not its default. */
  priceId?: string
}

/** A line that is to be bought. */
export interface WantedLine extends LineRef {
  /** 1 unless given. */
  quantity?: number
}
