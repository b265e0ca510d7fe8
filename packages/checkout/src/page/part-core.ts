import type { CardElement } from './card-element.ts'
import type { CheckoutError } from './checkout-error.ts'
import type { CardOptions, Settings } from './options.ts'

/** What the core hands to a part that is loaded when it is called, so that no part brings a second copy of it. */
export interface PartCore {
  /** What `init()` was given, checked. */
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
