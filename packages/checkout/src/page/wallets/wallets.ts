import type { CheckoutError } from '../checkout-error.ts'
import { applePayButton } from './apple-pay.ts'
import { googlePayButton } from './google-pay.ts'
import { loadScript } from './page.ts'
import { askVault, type WalletCore } from './vault.ts'

/** The wallets of browsers. */
export type WalletName = 'apple_pay' | 'google_pay'

/** What a buyer is shown, and approves, in a wallet. */
export interface WalletAmount {
  /** All that will be charged, in the currency's minor unit: the vault takes no more with the wallet's approval. */
  amount: number
  /** ISO 4217, in capitals. */
  currency: string
}

/** Options of `checkout.wallets()`. */
export interface WalletsOptions extends WalletAmount {
  /** Where the merchant is, ISO 3166-1, two capitals. */
  country: string
  /** What the sheet calls the amount; by default the merchant's name. */
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
  /** Those that this device and this account have; none leaves the page as it was. */
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

/** `Checkout.wallets`, loaded when it is needed: the one export of this module. */
export async function wallets(target: string | Element, given: WalletsOptions, core: WalletCore): Promise<Wallets> {
  const { CheckoutError: Failure } = core
  const { locale = core.settings.options.locale, onError = () => {}, onStart = () => true } = given
  const options = { ...given, locale, onError, onStart }
  const wrong = complaint(options)
  if (wrong) throw new Failure('argument_invalid', wrong)
  const home = typeof target === 'string' ? document.querySelector(target) : target
  if (!home) throw new Failure('element_not_found', 'wallets() needs an element or its selector.')
  const found = await askVault('wallets', null, core)
  if (found.simulator) await loadScript(found.simulator)
  const place = { options, core, found }
  const apple = applePayButton(place)
  // Where the device pays with Apple Pay, Google's script is not loaded for a second button.
  const google = apple && !found.simulator ? null : await googlePayButton(place)
  const buttons = [apple, google].filter((button): button is WalletButton => !!button)
  const group = document.createElement('div')
  group.style.cssText = 'display:grid;gap:8px;grid-template-columns:repeat(auto-fit,minmax(150px,1fr))'
  group.append(...buttons.map(({ element }) => element))
  if (buttons[0]) home.append(group)
  return {
    shown: buttons.map(({ wallet }) => wallet),
    update: ({ amount, currency }) => void Object.assign(options, { amount, currency }),
    remove: () => group.remove(),
  }
}

/** The fault of the options, or nothing: scripts without types may pass anything. */
function complaint({
  amount,
  currency,
  country,
  onPay,
}: { [Name in keyof WalletsOptions]: unknown }): string | undefined {
  if (!Number.isSafeInteger(amount)) return 'amount must be a whole number in the minor unit: 1999 is 19.99 USD.'
  if (!/^[A-Z]{3}$/.test(`${currency}`) || !/^[A-Z]{2}$/.test(`${country}`))
    return 'currency and country must be like USD and US.'
  return typeof onPay === 'function' ? undefined : 'onPay must be a function.'
}

/** What a button needs. */
export interface ButtonPlace {
  /** Changed by `update()`. */
  options: WalletsOptions & { locale: string; onError: (error: CheckoutError) => void; onStart: () => boolean }
  core: WalletCore
  found: FoundWallets
}

/** What the vault says of an account's wallets. */
export interface FoundWallets {
  session: string
  applePay: { merchantName: string } | null
  googlePay: { environment: 'TEST' | 'PRODUCTION'; merchantId: string; merchantName: string; publicKey: string } | null
  simulator: string | null
}
