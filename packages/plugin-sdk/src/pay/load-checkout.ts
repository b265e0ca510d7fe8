import { TillwrightError } from '../tillwright-error.ts'
import type { CheckoutScript } from './checkout.ts'

/** Loads the checkout from the vault, once; after a failure it may be asked for again. */
export function loadCheckout(vaultUrl: string): Promise<CheckoutScript> {
  const there = scriptInPage()
  if (there) return Promise.resolve(there)
  return new Promise((resolve, reject) => {
    const script = document.createElement('script')
    const settle = (): void => {
      const loaded = scriptInPage()
      if (loaded) return resolve(loaded)
      script.remove()
      reject(new TillwrightError('checkout_unavailable', `The checkout did not load from ${vaultUrl}; try again.`))
    }
    script.onload = script.onerror = settle
    script.src = `${vaultUrl}/v1/tillwright.js`
    document.head.append(script)
  })
}

function scriptInPage(): CheckoutScript | undefined {
  return (window as { Tillwright?: CheckoutScript }).Tillwright // as the vault's script sets it
}
