import { CheckoutError } from './checkout-error.ts'
import type { authenticate } from './threeds/authenticate.ts'

/** A browser keeps the failure of a module for its address: after each, the address is another. */
let again = ''

/**
 * Loads 3-D Secure for a script tag: from where the tag came from, which the page's CSP lists already.
 *
 * @throws CheckoutError `network_failed`.
 */
export async function loadThreeds(vaultOrigin: string): Promise<{ authenticate: typeof authenticate }> {
  try {
    return await import(`${vaultOrigin}/v1/threeds.js${again}`)
  } catch {
    again += '?'
    throw new CheckoutError('network_failed', 'threeds.js did not load.')
  }
}
