import { createCard, type CardElement } from './card-element.ts'
import { CheckoutError } from './checkout-error.ts'
import { readCardOptions, readInitOptions, type CardOptions, type InitOptions } from './read-options.ts'

/** A shop's checkout: makes card forms. */
export interface Checkout {
  /**
   * Makes a card form that is not in the page yet; `mount()` puts it there.
   *
   * @param options Lies over the options of `init()`.
   * @throws CheckoutError `argument_invalid`.
   */
  card(options?: CardOptions): CardElement
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
  return {
    card: (given = {}) => createCard({ ...settings, options: readCardOptions(given, settings.options) }),
  }
}
