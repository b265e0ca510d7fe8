import { loadCheckout } from './load-checkout.ts'
import type { CardForm, CardOptions, CardToken, Checkout, CheckoutCard } from './checkout.ts'
import type { Pay, Paying } from './pay.ts'

/** The card forms of a page. */
export interface CardForms extends Pick<Pay, 'mount' | 'checkout'> {
  /** What the form that was mounted last gives for its card. */
  tokenize(): Promise<CardToken>
}

/** Makes card forms by the vault's checkout, in the page's language. */
export function cardForms({ data, locale, around, Failure }: Paying): CardForms {
  let card: CheckoutCard | null = null

  return { mount, checkout, tokenize }

  async function checkout(): Promise<Checkout> {
    const { publishableKey, vaultUrl } = data.get()
    const script = await (around.loadCheckout?.(vaultUrl) ?? loadCheckout(vaultUrl, Failure))
    return script.init({ publishableKey, vaultUrl, locale: locale.get() })
  }

  async function mount(target: string | Element, options: CardOptions = {}): Promise<CardForm> {
    const made = (await checkout()).card({ locale: locale.get(), ...options })
    made.mount(target)
    card = made
    const unfollow = locale.subscribe(() => {
      if (!options.locale) made.update({ locale: locale.get() })
    })
    return { ...made, unmount }

    function unmount(): void {
      unfollow()
      made.destroy()
      if (card === made) card = null
    }
  }

  async function tokenize(): Promise<CardToken> {
    if (card) return card.tokenize()
    throw new Failure('checkout_unavailable', 'No card form is mounted.')
  }
}
