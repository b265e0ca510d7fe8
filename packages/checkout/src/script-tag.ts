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
const from = script instanceof HTMLScriptElement && script.src ? { vaultUrl: script.src } : {}

window.Tillwright = { init: (options) => init({ ...from, ...options }), CheckoutError }
