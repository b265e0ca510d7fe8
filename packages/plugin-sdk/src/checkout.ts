/** The look of a card form. The reference of `@tillwright/checkout` lists themes and variables. */
export interface Appearance {
  theme?: 'light' | 'dark' | 'flat' | 'minimal' | 'auto'
  /** CSS values by name: `colorPrimary: '#0a7'`. */
  variables?: Readonly<Record<string, string>>
}

/** Options of a card form. */
export interface CardOptions {
  appearance?: Appearance
  /** A BCP 47 tag; by default the page's. */
  locale?: string
  /** The networks that the shop accepts, by name; all by default. */
  networks?: { allowed?: readonly string[]; blocked?: readonly string[] }
  /** Whether the form asks for the name on the card; false by default. */
  name?: boolean
  /** Saved cards to choose from, which need only their security code. */
  savedCards?: readonly SavedCard[]
}

/** A saved card to choose in the form. */
export interface SavedCard {
  paymentInstrumentId: string
  brand: string
  last4: string
  /** 1 to 12. */
  expMonth: number
  /** Four digits. */
  expYear: number
}

/**
 * The events of a card form. `submit`: the buyer pressed Enter. `loaderror`, `error`: call `retry()` for an empty form.
 */
export interface CardEvents {
  ready: []
  change: [state: { complete: boolean; empty: boolean; errors: Readonly<Record<string, string | null>> }]
  brand: [brand: { brand: string }]
  focus: []
  blur: []
  submit: []
  loaderror: [error: Error]
  error: [error: Error]
}

/** A card form in the page, whose content the page cannot read. */
export interface CardForm {
  /** @returns Removes the listener. */
  on<E extends keyof CardEvents>(event: E, listener: (...details: CardEvents[E]) => void): () => void
  focus(): void
  /** Empties every field. */
  clear(): void
  /** Mounts the form again where it was, after a `loaderror` or an `error`. */
  retry(): void
  /** Changes options; what the buyer typed is kept. */
  update(options: CardOptions): void
  /** Removes the form and its content from the page for good. */
  unmount(): void
}

/** The card of the checkout itself, as far as the SDK uses it. */
export interface CheckoutCard extends Omit<CardForm, 'unmount'> {
  mount(target: string | Element): unknown
  tokenize(): Promise<CardToken>
  destroy(): void
}

/** The tokens of a card form: for a new card, or a saved one with its security code. */
export interface CardToken {
  serviceToken?: string | undefined
  paymentInstrumentId?: string | undefined
  securityCodeToken?: string | undefined
}

/** Options of the wallets' buttons. Amounts are in the currency's minor unit. */
export interface WalletsOptions {
  amount: number
  currency: string
  /** Where the merchant is, ISO 3166-1, two capitals. */
  country: string
  /** Label of the amount in the sheet; by default the merchant's name. */
  label?: string | undefined
  theme?: 'black' | 'white' | undefined
  locale?: string | undefined
  /** Called in the click, before the sheet opens: `false` keeps it closed. */
  onStart?: (() => boolean) | undefined
  /** Pays with the token. The sheet shows that it failed where the promise is rejected. */
  onPay: (paid: { serviceToken: string }) => Promise<unknown>
  onError?: ((error: Error) => void) | undefined
}

/** The wallets' buttons in a page. */
export interface Wallets {
  /** The wallets that the device and the account support. */
  shown: readonly ('apple_pay' | 'google_pay')[]
  update(sum: { amount: number; currency: string }): void
  remove(): void
}

/** The checkout, as far as the SDK uses it. */
export interface Checkout {
  card(options?: CardOptions): CheckoutCard
  /** Lets the buyer's bank authenticate the payment (3-D Secure). */
  authenticate(actionToken: string, options?: { returnUrl?: string }): Promise<{ outcome: string }>
  /** Puts the buttons of wallets into the page. */
  wallets(target: string | Element, options: WalletsOptions): Promise<Wallets>
}

/** `window.Tillwright`, set by the vault's script. */
export interface CheckoutScript {
  init(options: {
    publishableKey: string
    vaultUrl: string
    locale?: string
    /** The session's id if it is a preview, which the console may show in a frame; empty if it is not. */
    preview: string
  }): Promise<Checkout>
}
