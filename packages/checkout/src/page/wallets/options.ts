import type { CheckoutError } from '../checkout-error.ts'
import type { Settings } from '../options.ts'

/** The wallets of browsers. */
export type WalletName = 'apple_pay' | 'google_pay'

/** Amount that the wallet's sheet displays for the buyer's approval. */
export interface WalletAmount {
  /** The total to charge, in the currency's minor unit. The vault refuses to charge more on the wallet's approval. */
  amount: number
  /** ISO 4217, in capitals. */
  currency: string
}

/** Options of `checkout.wallets()`. */
export interface WalletsOptions extends WalletAmount {
  /** Where the merchant is, ISO 3166-1, two capitals. */
  country: string
  /** Label of the amount in the sheet; by default the merchant's name. */
  label?: string | undefined
  /** The look of the buttons: black by default. */
  theme?: 'black' | 'white' | undefined
  /** The language of the buttons, a BCP 47 tag; by default the page's. */
  locale?: string | undefined
  /** Called in the click, before the sheet opens: `false` keeps it closed, such as while the page's form is not complete. */
  onStart?: (() => boolean) | undefined
  /**
   * Takes the approved payment: have your server pay with the token. The sheet stays open until the promise ends, for 30
   * seconds at most, and shows that it failed where it is rejected.
   */
  onPay: (paid: WalletPayment) => Promise<unknown>
  /** Told what kept a wallet from making a token; a buyer who closes the sheet is no error. */
  onError?: ((error: CheckoutError) => void) | undefined
}

/** A payment that the buyer has approved in a wallet. */
export interface WalletPayment {
  /** Single use; give it to your server, which creates a payment instrument from it. */
  serviceToken: string
  wallet: WalletName
  card: { brand: string; last4: string; expMonth: number; expYear: number }
}

/** The wallets' buttons in a page. */
export interface Wallets {
  /** The wallets that this device and this account support; if there are none, the page stays as it was. */
  shown: readonly WalletName[]
  /** Changes what the next sheet asks for. */
  update(amount: WalletAmount): void
  /** Takes the buttons out of the page. */
  remove(): void
}

/** One button's part in the page. */
export interface WalletButton {
  wallet: WalletName
  element: HTMLElement
}

/** Parts of the core, passed in so that this module does not bundle a second copy. */
export interface WalletCore {
  settings: Settings
  CheckoutError: typeof CheckoutError
}

/** Dependencies of a wallet button. */
export interface ButtonPlace {
  /** Changed by `update()`. */
  options: WalletsOptions & { locale: string; onError: (error: CheckoutError) => void; onStart: () => boolean }
  core: WalletCore
  found: FoundWallets
}

/** The vault's answer about the wallets of an account; `null` for a wallet that is not set up. */
export interface FoundWallets {
  session: string
  applePay: { merchantName: string } | null
  googlePay: { environment: 'TEST' | 'PRODUCTION'; merchantId: string; merchantName: string; publicKey: string } | null
  simulator: string | null
}
