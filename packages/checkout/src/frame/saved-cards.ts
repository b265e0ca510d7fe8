import { brandTitle, isNetworkName } from '@tillwright/contract/networks'
import { type Brand, brandNamed } from '../card/brands.ts'
import { parseExpiry } from '../card/parse-expiry.ts'
import { MAX_SAVED_CARDS, type SavedCard } from '../card/saved-card.ts'
import type { Texts } from '../locales/index.ts'
import { isSmallInteger, isText, objectOf } from '../wire/index.ts'
import type { Option } from './choice.ts'

/** A saved card that a buyer may choose: its value is the payment instrument's id. */
export interface SavedOption extends Option<string> {
  brand: Brand
}

const isSavedCard = objectOf({
  paymentInstrumentId: isId,
  brand: isText,
  last4: isLast4,
  expMonth: isSmallInteger,
  expYear: isSmallInteger,
})

/**
 * The cards that a shop has stored for its customer, as they are offered: of the first ten those that are a
 * `SavedCard`. One that has expired is marked and cannot be chosen.
 */
export function savedOptions(given: readonly unknown[], texts: Texts, nowMs: number): readonly SavedOption[] {
  return given
    .slice(0, MAX_SAVED_CARDS)
    .filter(isSavedCard)
    .map((card) => optionOf(card, texts, nowMs))
}

function optionOf(card: SavedCard, texts: Texts, nowMs: number): SavedOption {
  const brand = brandNamed(isNetworkName(card.brand) ? card.brand : 'unknown')
  const expiry = `${card.expMonth}/${card.expYear}`
  const disabled = parseExpiry(expiry, nowMs).outcome === 'expired'
  // Isolated, so that it reads from left to right among words that run the other way.
  const text = `\u2066${brandTitle(brand.name)} …${card.last4}, ${expiry}\u2069 ${disabled ? texts.expired : ''}`
  return { value: card.paymentInstrumentId, text, disabled, brand }
}

/** Empty is the value of "another card". */
function isId(value: unknown): value is string {
  return isText(value) && value !== ''
}

/** Digits alone: other characters could end the isolation of their text. */
function isLast4(value: unknown): value is string {
  return isText(value) && /^\d{4}$/.test(value)
}
