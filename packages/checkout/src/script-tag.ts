import { CheckoutError, init, type Checkout, type InitOptions } from './index.ts'

declare global {
  interface Window {
    Tillwright: {
      init(options: InitOptions): Promise<Checkout>
      CheckoutError: typeof CheckoutError
    }
  }
}

// `currentScript` is set only while the script runs for the first time, and only for a classic script tag.
const script = document.currentScript
// The other kind of script, that of SVG, has no `src`.
const vaultUrl = (script as Partial<HTMLScriptElement> | null)?.src ?? ''

window.Tillwright = { init: (options) => init({ vaultUrl, ...options }), CheckoutError }
