import type { TillwrightError } from '../tillwright-error.ts'
import type { CheckoutScript } from './checkout.ts'

let loading: Promise<CheckoutScript> | null = null

/** Loads the checkout from the vault, once; after a failure it may be asked for again. */
export function loadCheckout(vaultUrl: string, Failure: typeof TillwrightError): Promise<CheckoutScript> {
  return (loading ??= new Promise((resolve, reject) => {
    const script = document.createElement('script')
    script.onload = () => resolve((window as { Tillwright?: CheckoutScript }).Tillwright as CheckoutScript) // it sets that
    script.onerror = () => {
      loading = null
      script.remove()
      reject(new Failure('checkout_unavailable', 'The checkout did not load.'))
    }
    script.src = `${vaultUrl}/v1/tillwright.js`
    document.head.append(script)
  }))
}
