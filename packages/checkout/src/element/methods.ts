import {
  type Appearance,
  type CheckoutError,
  init,
  type MethodsChange,
  type MethodsChoice,
  type PaymentMethods,
} from '../index.ts'
import { warnShop } from '../page/warn-shop.ts'
import { BrowserElement } from './browser-element.ts'

declare global {
  interface HTMLElementTagNameMap {
    'tillwright-methods': TillwrightMethods
  }
}

const NAME = 'tillwright-methods'

/** What its events bring. */
interface MethodsEventMap {
  ready: CustomEvent<PaymentMethods['shown']>
  'methods-change': CustomEvent<MethodsChange>
  'methods-error': CustomEvent<CheckoutError>
}

/**
 * `<tillwright-methods publishable-key vault-url api-url store-id amount currency country theme locale>`: all that the buyer
 * can pay with. Events: `ready` with the methods shown, `methods-change` (`detail` is a `MethodsChange`), `methods-error`.
 */
export class TillwrightMethods extends BrowserElement<MethodsEventMap> {
  static readonly observedAttributes: readonly string[] = ['amount', 'currency', 'country']

  /** Settles when the methods are in the page; `null` while the element is not. */
  #opening: Promise<PaymentMethods> | null = null

  /**
   * Returns the buyer's choice of method; see `PaymentMethods.choice()`.
   *
   * @throws CheckoutError The errors of that function, and the one that kept the methods from being shown.
   */
  async choice(): Promise<MethodsChoice> {
    const methods = await (this.#opening ?? this.#open())
    return methods.choice()
  }

  /** Called by the browser. */
  connectedCallback(): void {
    const opening = this.#open()
    this.#opening = opening
    opening.then(
      (methods) => {
        if (this.#opening !== opening) return methods.destroy()
        this.#tell('ready', methods.shown)
      },
      (error: unknown) => this.#refuse(error),
    )
  }

  /** Called by the browser. */
  disconnectedCallback(): void {
    this.#opening?.then(
      (methods) => methods.destroy(),
      () => {}, // told already
    )
    this.#opening = null
  }

  /** Called by the browser. */
  attributeChangedCallback(): void {
    const opening = this.#opening
    opening
      ?.then(
        (methods) => methods.update(this.#sum()),
        () => this.#opening === opening && this.connectedCallback(), // it may have lacked this attribute
      )
      .catch((error: unknown) => this.#refuse(error))
  }

  async #open(): Promise<PaymentMethods> {
    const checkout = await init({
      publishableKey: this.getAttribute('publishable-key') || '',
      vaultUrl: this.getAttribute('vault-url') || '',
    })
    const theme = this.getAttribute('theme')
    const locale = this.getAttribute('locale')
    return checkout.methods(this, {
      ...this.#sum(),
      storeId: this.getAttribute('store-id') || '',
      apiUrl: this.getAttribute('api-url') ?? undefined,
      card: {
        // The cast is proven by methods(), which refuses a theme that there is not.
        ...(theme && { appearance: { theme } as Appearance }),
        ...(locale && { locale }),
      },
      onChange: (state) => this.#tell('methods-change', state),
      onError: (error) => this.#tell('methods-error', error),
    })
  }

  #sum() {
    return {
      amount: Number(this.getAttribute('amount') || Number.NaN),
      currency: this.getAttribute('currency') || '',
      country: this.getAttribute('country') ?? undefined,
    }
  }

  #refuse(error: unknown): void {
    warnShop(String(error))
    this.#tell('methods-error', error)
  }

  #tell(name: string, detail: unknown): void {
    this.dispatchEvent(new CustomEvent(name, { detail }))
  }
}

if (globalThis.customElements && !customElements.get(NAME)) customElements.define(NAME, TillwrightMethods)
