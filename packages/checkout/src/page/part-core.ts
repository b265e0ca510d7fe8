import type { CardElement } from './card-element.ts'
import type { CheckoutError } from './checkout-error.ts'
import type { CardOptions, Settings } from './options.ts'

/** Parts of the core, passed to a part at its first call, so that no part bundles a second copy of them. */
export interface PartCore {
  /** Validated options of `init()`. */
  settings: Settings
  /** The class itself: errors of core and parts are of one. */
  CheckoutError: typeof CheckoutError
  /**
   * `Checkout.card`.
   *
   * @throws CheckoutError `argument_invalid`.
   */
  card(options?: CardOptions): CardElement
}
