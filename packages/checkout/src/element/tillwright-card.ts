import type { NetworkName } from '@tillwright/contract/networks'
import {
  init,
  type Appearance,
  type BrandFilter,
  type CardBrand,
  type CardChange,
  type CardElement,
  type CardOptions,
  type CheckoutError,
  type OnChallenge,
  type SavedCard,
  type TokenizedCard,
} from '../index.ts'
import { warnShop } from '../page/warn-shop.ts'
import { BrowserElement } from './browser-element.ts'

declare global {
  interface HTMLElementTagNameMap {
    'tillwright-card': TillwrightCard
  }
}

const NAME = 'tillwright-card'

/** What its events bring. */
interface CardEventMap {
  ready: CustomEvent<null>
  change: CustomEvent<CardChange>
  brand: CustomEvent<CardBrand>
  submit: CustomEvent<null>
  loaderror: CustomEvent<CheckoutError>
  'card-error': CustomEvent<CheckoutError>
}

/**
 * `<tillwright-card publishable-key vault-url locale theme allowed-networks blocked-networks name>`: a card form that is
 * mounted while the element is in the page. Networks stand with spaces between them; `name`, without a value, asks for
 * the name on the card. Another key or vault mounts the form anew, empty; the rest leaves what was typed.
 *
 * Its events are `ready`, `change` (`detail` is a `CardChange`), `brand` (`detail` is a `CardBrand`), `submit`, and two
 * whose `detail` is a `CheckoutError`: `loaderror` when the form did not load, and `card-error` when it went away later, or
 * an attribute is wrong. `change` bubbles as that of any field, which Svelte relies on; the others do not, so that a
 * `submit` is not taken for that of a form around it. An element that is appended again mounts the form again.
 */
export class TillwrightCard extends BrowserElement<CardEventMap> {
  static readonly observedAttributes = [
    'publishable-key',
    'vault-url',
    'locale',
    'theme',
    'allowed-networks',
    'blocked-networks',
    'name',
  ]

  /** Lets the buyer solve a challenge; see `InitOptions`. */
  onChallenge: OnChallenge | undefined
  #savedCards: readonly SavedCard[] = []
  /** Settles when the form is in the page; `null` while the element is not. */
  #opening: Promise<CardElement> | null = null
  #card: CardElement | null = null

  /**
   * Turns the typed card into a service token; see `CardElement.tokenize()`.
   *
   * @throws CheckoutError What that throws, and `argument_invalid` and `page_insecure` when the form could not be made.
   */
  async tokenize(): Promise<TokenizedCard> {
    // A form that is in no page says itself that it is not.
    const card = await (this.#opening ?? this.#open(() => false))
    return card.tokenize()
  }

  /** Mounts the form again after a `loaderror`, or after the form went away. */
  retry(): void {
    this.#card?.retry()
  }

  /** The buyer's cards that are stored already; see `CardOptions`. A property, since no attribute holds a list. */
  set savedCards(cards: readonly SavedCard[]) {
    this.#savedCards = cards
    this.#update()
  }

  /** Moves the keyboard to what is to be typed first. */
  override focus(): void {
    this.#card?.focus()
  }

  /** Empties every field. */
  clear(): void {
    this.#card?.clear()
  }

  /** Called by the browser. */
  connectedCallback(): void {
    const opening = this.#open(() => this.#opening === opening)
    this.#opening = opening
    opening.catch((error: unknown) => {
      if (this.#opening === opening) this.#refuse(error)
    })
  }

  /** Called by the browser. */
  disconnectedCallback(): void {
    this.#opening = null
    this.#card?.destroy()
    this.#card = null
  }

  /** Called by the browser instead of the two above after `moveBefore()`, which leaves the frame as it is. */
  connectedMoveCallback(): void {}

  /** Called by the browser. */
  attributeChangedCallback(name: string, before: string | null, after: string | null): void {
    // Initial attributes are reported before the element is connected.
    if (!this.#opening || before === after) return
    if (name === 'publishable-key' || name === 'vault-url') {
      this.disconnectedCallback()
      this.connectedCallback()
    } else {
      this.#update()
    }
  }

  #update(): void {
    try {
      this.#card?.update(this.#options())
    } catch (error) {
      this.#refuse(error) // Setting an attribute cannot throw.
    }
  }

  async #open(isCurrent: () => boolean): Promise<CardElement> {
    const checkout = await init({
      publishableKey: this.getAttribute('publishable-key') || '',
      vaultUrl: this.getAttribute('vault-url') || '',
      onChallenge: async (refusal) => this.onChallenge?.(refusal),
    })
    const card = checkout.card(this.#options())
    if (!isCurrent()) return card
    for (const name of ['ready', 'change', 'brand', 'submit', 'loaderror'] as const) {
      card.on(name, (detail?: unknown) => this.#emit(name, detail))
    }
    card.on('error', (error) => this.#emit('card-error', error))
    this.#card = card.mount(this)
    return card
  }

  #options(): Required<CardOptions> {
    return {
      // The cast is proven by card() and update(), which refuse a theme that there is not.
      appearance: { theme: this.getAttribute('theme') || 'light' } as Appearance,
      locale: this.getAttribute('locale') || document.documentElement.lang || 'en',
      networks: { ...this.#networks('allowed'), ...this.#networks('blocked') },
      // Vue and Svelte write `false` as a text.
      name: (this.getAttribute('name') ?? 'false') !== 'false',
      savedCards: this.#savedCards,
    }
  }

  #networks(list: keyof BrandFilter): BrandFilter | null | undefined {
    const names = this.getAttribute(`${list}-networks`)?.match(/\S+/g)
    // The cast is harmless: a name of no network fits no card.
    return names && { [list]: names as NetworkName[] }
  }

  #refuse(error: unknown): void {
    warnShop(String(error))
    this.#emit('card-error', error)
  }

  #emit(name: string, detail?: unknown): void {
    this.dispatchEvent(new CustomEvent(name, { detail, bubbles: name === 'change' }))
  }
}

if (globalThis.customElements && !customElements.get(NAME)) customElements.define(NAME, TillwrightCard)
