import { fieldErrorCodes, fieldNames } from '../card/check-card.ts'
import type { BrandName } from '../card/networks.ts'
import { isAppearance } from './appearance.ts'
import { isBoolean, isSmallInteger, isText, nullable, objectOf, oneOf } from './guards.ts'
import type { Message } from './parse-message.ts'

/** Why the frame could not make a token. */
export const failureCodes = ['card_incomplete', 'card_invalid', 'network_failed', 'tokenize_rejected'] as const

const isFieldError = nullable(oneOf(fieldErrorCodes))

/**
 * A brand's name, or what could be one: letters and underscores, so no digit that the buyer typed. A closed list would
 * make a page with an older loader deaf to the form as soon as somebody types a card of a brand that was added since.
 */
function isBrandName(value: unknown): value is BrandName {
  return isText(value) && /^[a-z_]+$/.test(value)
}

/** What may be shown of a tokenised card. */
export const isTokenCard = objectOf({
  brand: isText,
  last4: isText,
  expMonth: isSmallInteger,
  expYear: isSmallInteger,
  funding: isText,
})

/** Every message from the card frame to the page. None has a field that could hold what the buyer typed. */
export const toPage = {
  ready: {},
  change: {
    empty: isBoolean,
    complete: isBoolean,
    brand: isBrandName,
    errors: objectOf({ number: isFieldError, expiry: isFieldError, cvc: isFieldError }),
  },
  focus: {},
  blur: {},
  submit: {},
  resize: { height: isSmallInteger },
  token: { request: isText, serviceToken: isText, card: isTokenCard },
  failed: {
    request: isText,
    code: oneOf(failureCodes),
    message: isText,
    field: nullable(oneOf(fieldNames)),
    requestId: nullable(isText),
  },
}

/** Every message from the page to the card frame. `configure` comes first, and again whenever an option changes. */
export const toFrame = {
  configure: { appearance: isAppearance, locale: isText },
  tokenize: { request: isText },
  focus: {},
  clear: {},
}

/** A message from the card frame to the page. */
export type ToPage = Message<typeof toPage>

/** A message from the page to the card frame. */
export type ToFrame = Message<typeof toFrame>
