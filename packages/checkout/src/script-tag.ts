import type { methods } from './page/methods/methods.ts'
import type { wallets } from './page/wallets/wallets.ts'
import { CheckoutError, init, type Checkout, type InitOptions } from './index.ts'

declare global {
  interface Window {
    Tillwright: {
      init(options: InitOptions): Promise<Checkout>
      CheckoutError: typeof CheckoutError
      /** Put there by the scripts for pages that pin theirs. */
      wallets?: typeof wallets
      methods?: typeof methods
    }
  }
}

// `currentScript` is set only while the script runs for the first time, and only for a classic script tag.
// The other kind of script, that of SVG, has no `src`.
const vaultUrl = (document.currentScript as Partial<HTMLScriptElement> | null)?.src

window.Tillwright = { init: (options) => init({ vaultUrl, ...options }), CheckoutError }
