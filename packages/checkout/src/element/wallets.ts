import { type CheckoutError, init, type WalletPayment, type Wallets } from '../index.ts'
import { warnShop } from '../page/warn-shop.ts'
import { BrowserElement } from './browser-element.ts'

declare global {
  interface HTMLElementTagNameMap {
    'tillwright-wallets': TillwrightWallets
  }
}

const NAME = 'tillwright-wallets'

/** What its events bring. */
interface WalletsEventMap {
  ready: CustomEvent<Wallets['shown']>
  'wallets-error': CustomEvent<CheckoutError>
}

/**
 * `<tillwright-wallets publishable-key vault-url amount currency country label theme locale>`: the buttons of Apple Pay and
 * Google Pay, none where the device has none. `onPay` is a property, because a payment has an answer. Events: `ready` with
 * the wallets shown, `wallets-error`.
 */
export class TillwrightWallets extends BrowserElement<WalletsEventMap> {
  static readonly observedAttributes: readonly string[] = ['amount', 'currency']

  /** Takes the approved payment; the sheet shows that it failed where the promise is rejected. */
  onPay: (paid: WalletPayment) => Promise<unknown> = () => Promise.reject(new Error('onPay is not set.'))
  /** Called in the click: `false` keeps the sheet closed. */
  onStart: () => boolean = () => true
  /** Settles when the buttons are in the page; `null` while the element is not. */
  #opening: Promise<Wallets> | null = null

  /** Called by the browser. */
  connectedCallback(): void {
    const opening = this.#open()
    this.#opening = opening
    opening.then(
      (wallets) => {
        if (this.#opening !== opening) return wallets.remove()
        wallets.update(this.#sum())
        this.#tell('ready', wallets.shown)
      },
      (error: unknown) => this.#refuse(error),
    )
  }

  /** Called by the browser. */
  disconnectedCallback(): void {
    this.#opening?.then(
      (wallets) => wallets.remove(),
      () => {}, // told already
    )
    this.#opening = null
  }

  /** Called by the browser. */
  attributeChangedCallback(): void {
    const opening = this.#opening
    opening?.then(
      (wallets) => wallets.update(this.#sum()),
      () => this.#opening === opening && this.connectedCallback(), // it may have lacked this attribute
    )
  }

  async #open(): Promise<Wallets> {
    const checkout = await init({
      publishableKey: this.getAttribute('publishable-key') || '',
      vaultUrl: this.getAttribute('vault-url') || '',
    })
    return checkout.wallets(this, {
      ...this.#sum(),
      country: this.getAttribute('country') || '',
      label: this.getAttribute('label') ?? undefined,
      theme: this.getAttribute('theme') === 'white' ? 'white' : 'black',
      locale: this.getAttribute('locale') ?? undefined,
      onPay: (paid) => this.onPay(paid),
      onStart: () => this.onStart(),
      onError: (error) => this.#tell('wallets-error', error),
    })
  }

  #sum() {
    return { amount: Number(this.getAttribute('amount') || Number.NaN), currency: this.getAttribute('currency') || '' }
  }

  #refuse(error: unknown): void {
    warnShop(String(error))
    this.#tell('wallets-error', error)
  }

  #tell(name: string, detail: unknown): void {
    this.dispatchEvent(new CustomEvent(name, { detail }))
  }
}

if (globalThis.customElements && !customElements.get(NAME)) customElements.define(NAME, TillwrightWallets)
