import type { BrandFilter } from '../card/accepts-brand.ts'
import type { SavedCard } from '../card/saved-card.ts'
import { type Appearance, isAppearance, isBoolean, isNetworkFilter, isText, themes } from '../wire/index.ts'
import { CheckoutError } from './checkout-error.ts'

/** Options of a card form, for `card()` and `update()`. */
export interface CardOptions {
  appearance?: Appearance
  /** The language of labels and messages, a BCP 47 tag; by default the page's `<html lang>`. */
  locale?: string
  /**
   * The networks that the shop takes; all by default. A card of another is refused in the form as soon as it is known.
   * This tells the buyer; it is no defence: the vault stores every card, and your server decides about it.
   */
  networks?: BrandFilter
  /** Whether the form asks for the name on the card; by default it does not. */
  name?: boolean
  /**
   * The buyer's cards that are stored already: one of them may be chosen, and asks for its security code alone. The first
   * ten are shown; what is no card among them is left out, and one that has expired cannot be chosen.
   */
  savedCards?: readonly SavedCard[]
}

/** Options of `init()`. Those of a card form are the defaults of every card form. */
export interface InitOptions extends CardOptions {
  /** `test_pk_...` or `live_pk_...`. */
  publishableKey: string
  /** Where the vault answers. By default where the script tag was loaded from; a bundled checkout has to say it. */
  vaultUrl?: string | undefined
  /**
   * The id of the preview session that the page shows, for pages of plugins: while it is open, the platform's console may
   * show the page, with its forms, in a frame. The SDK of plugins passes it.
   */
  preview?: string | undefined
  /** Lets the buyer solve a challenge; without it, `tokenize()` is rejected with `challenge_required`. */
  onChallenge?: OnChallenge | undefined
}

/** Options that have been checked: what every card form of this checkout starts from. */
export interface Settings {
  publishableKey: string
  vaultOrigin: string
  /** Unchecked: the vault looks it up. */
  preview: string | undefined
  onChallenge: OnChallenge | undefined
  options: Required<CardOptions>
}

/**
 * Checks the arguments of `init()`.
 *
 * @throws CheckoutError `argument_invalid`; the message never repeats a key.
 */
export function readInitOptions(given: InitOptions): Settings {
  const locale = document.documentElement.lang || 'en'
  const defaults = { appearance: {}, locale, networks: {}, name: false, savedCards: [] }
  return {
    publishableKey: readKey(given.publishableKey),
    vaultOrigin: readVaultOrigin(given.vaultUrl),
    preview: given.preview,
    onChallenge: given.onChallenge,
    options: readCardOptions(given, defaults),
  }
}

/** Checks a card form's options and lays them over those that hold already. */
export function readCardOptions(given: CardOptions, holding: Required<CardOptions>): Required<CardOptions> {
  const {
    appearance = holding.appearance,
    locale = holding.locale,
    networks = holding.networks,
    name = holding.name,
    savedCards = holding.savedCards,
  } = given
  if (!isAppearance(appearance)) {
    throw invalid(`appearance must be { theme, variables }: ${themes.join(', ')}.`)
  }
  if (!isText(locale) || !isNetworkFilter(networks) || !isBoolean(name) || !Array.isArray(savedCards)) {
    throw invalid('networks must be { allowed, blocked }, savedCards a list, name boolean, locale like de-AT.')
  }
  try {
    // A copy: a frame takes no Proxy, which is what Vue and Svelte make of a page's state.
    return JSON.parse(JSON.stringify({ appearance, locale, networks, name, savedCards }))
  } catch {
    throw invalid('Options must be JSON.')
  }
}

function readKey(key: unknown): string {
  if (typeof key === 'string' && /^(test|live)_pk_\w+$/.test(key)) return key
  throw invalid('publishableKey must begin with test_pk_ or live_pk_; revoke a secret key.')
}

function readVaultOrigin(url: unknown): string {
  const origin = originOf(url)
  // Only another origin keeps card numbers out of the page's reach.
  if (origin.startsWith('http') && origin !== location.origin) return origin
  throw invalid("vaultUrl must be the vault's http(s) address, not the page's.")
}

function originOf(url: unknown): string {
  try {
    return new URL(String(url)).origin
  } catch {
    return '' // `URL.canParse` would say it without an exception, but iPhones that stop at iOS 16 lack it.
  }
}

function invalid(message: string): CheckoutError {
  return new CheckoutError('argument_invalid', message)
}

/**
 * Shows the challenge of the verifier that the operator has chosen, such as Turnstile.
 *
 * @param refusal The error that `tokenize()` fails with unless the challenge is solved: `challenge_required`.
 * @returns The verifier's token for the solved challenge, sent with one more try; `undefined` if it was not solved.
 */
export type OnChallenge = (refusal: CheckoutError) => Promise<string | undefined>
