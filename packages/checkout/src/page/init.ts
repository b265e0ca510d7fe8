import { type CardElement, createCard } from './card-element.ts'
import { CheckoutError } from './checkout-error.ts'
import { part } from './load-part.ts'
import { type CardOptions, type InitOptions, readCardOptions, readInitOptions } from './options.ts'
import type { MethodsOptions, PaymentMethods } from './methods/options.ts'
import type { AuthenticateOptions } from './threeds/authenticate.ts'
import type { Authentication } from './threeds/frame.ts'
import type { Wallets, WalletsOptions } from './wallets/options.ts'

/** A shop's checkout: makes card forms. */
export interface Checkout {
  /**
   * Makes a card form that is not in the page yet; `mount()` puts it there.
   *
   * @param options Lies over the options of `init()`.
   * @throws CheckoutError `argument_invalid`.
   */
  card(options?: CardOptions): CardElement

  /**
   * Lets the buyer's bank authenticate the payment (3-D Secure), with a page of the bank over the whole window where it
   * wants one. May be called again, after a failure or in a page that was loaded anew: it goes on where it was.
   *
   * The keyboard goes to the bank's page, where the code is typed. The buyer can give up: above that page stands a close
   * mark, which Shift+Tab leads to and which screen readers call Cancel, and Esc does the same. A key that is pressed
   * inside the bank's page belongs to the bank: whether Esc does anything there is its decision.
   *
   * Calls for one payment at a time share one page of the bank, with the `windowSize` and `returnUrl` of the first; each has
   * its own `onStep`, for the steps that begin from then on, and its own `signal`.
   *
   * The result is for display. Whatever it is, and also when the promise is rejected, your server then calls `POST
   * /api/payments/v1/payments/{paymentId}/continue`, which takes the result from the bank and never from a page.
   *
   * @param actionToken From the `nextAction` of a payment whose `requireAction` is `threeds_auth`.
   * @throws CheckoutError `argument_invalid` (also for a token that is no longer good), `frame_unavailable`,
   *   `network_failed`.
   */
  authenticate(actionToken: string, options?: AuthenticateOptions): Promise<Authentication>

  /**
   * Puts the buttons of Apple Pay and Google Pay into the page, as the last child of an element: those that this device
   * and the account have, which may be none. What they need is loaded by this call, and not before.
   *
   * @param target The element or a selector of it.
   * @throws CheckoutError `argument_invalid`, `element_not_found`, `network_failed`, `tokenize_rejected`.
   */
  wallets(target: string | Element, options: WalletsOptions): Promise<Wallets>

  /**
   * Puts all that this buyer can pay with into the page, as the last child of an element: the card form, and the methods
   * besides cards that take this sum. What it needs is loaded by this call, and not before.
   *
   * @param target The element or a selector of it.
   * @throws CheckoutError `argument_invalid`, `element_not_found`, `network_failed`, `methods_refused`.
   */
  methods(target: string | Element, options: MethodsOptions): Promise<PaymentMethods>
}

/**
 * Starts the checkout of one shop in this page.
 *
 * @returns A promise, so that wrong arguments and a page that is not fit are rejections like everything later.
 * @throws CheckoutError `argument_invalid`, `page_insecure`.
 */
export async function init(options: InitOptions): Promise<Checkout> {
  const settings = readInitOptions(options)
  // A frame inside an insecure page is insecure itself and has no WebCrypto; a file or sandboxed page has no origin,
  // though the address of a sandboxed one, and with it location.origin, looks as if it had.
  if (!isSecureContext || origin === 'null') {
    throw new CheckoutError('page_insecure', 'The page must come from https:// or from http://localhost.')
  }
  const card = (given = {}) => createCard({ ...settings, options: readCardOptions(given, settings.options) })
  const core = { settings, CheckoutError, card }
  return {
    card,
    authenticate: part('threeds', core),
    wallets: part('wallets', core),
    methods: part('methods', core),
  }
}
