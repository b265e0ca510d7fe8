import { isObject } from '@tillwright/contract/json'
import type { BrandName, NetworkName } from '@tillwright/contract/networks'
import type { BrandFilter } from '../card/accepts-brand.ts'
import { fieldErrorCodes, fieldNames } from '../card/check-card.ts'
import { isAppearance } from './appearance.ts'
import { isBoolean, isSmallInteger, isText, type Message, nullable, objectOf, oneOf } from './guards.ts'

/** Why the frame could not make a token. */
const failureCodes = [
  'card_incomplete',
  'card_invalid',
  'network_failed',
  'tokenize_rejected',
  'challenge_required',
] as const

// Marked as pure here and below, so that the frame is built without the page's table, which it has no use for.
const isFieldError = /* @__PURE__ */ nullable(/* @__PURE__ */ oneOf(fieldErrorCodes))

/**
 * A brand's name, or what could be one: letters and underscores, so no digit that the buyer typed. A closed list would
 * make a page with an older loader deaf to the form as soon as a card of a newer brand is typed.
 */
function isBrandName(value: unknown): value is BrandName {
  return isText(value) && /^[a-z_]+$/.test(value)
}

/** Words, again without a digit. */
function areWords(value: unknown): value is string {
  return isText(value) && /^[-a-z_, ]+$/i.test(value)
}

function areNetworkNames(value: unknown): value is readonly NetworkName[] {
  return Array.isArray(value) && value.every(isBrandName)
}

/**
 * The networks that a shop takes and those that it does not, each a list of texts; nothing at all, as an older loader
 * sends it, is every network. Which names there are is judged in the frame, where an unknown one fits no card.
 */
export function isNetworkFilter(value: unknown = {}): value is BrandFilter | undefined {
  return isObject(value) && Object.values(value).every(areNetworkNames)
}

/** `true`, `false`, or nothing, as an older loader sends it. */
function isMaybeBoolean(value: unknown = false): value is boolean | undefined {
  return isBoolean(value)
}

/** A list, or nothing. What is in it is judged in the frame. */
function isMaybeList(value: unknown = []): value is readonly unknown[] | undefined {
  return Array.isArray(value)
}

/** A text, or nothing. */
function isMaybeText(value: unknown = ''): value is string | undefined {
  return isText(value)
}

/** The displayable details of a tokenised card. */
export const isTokenCard = /* @__PURE__ */ objectOf({
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
    errors: /* @__PURE__ */ objectOf({
      number: isFieldError,
      expiry: isFieldError,
      cvc: isFieldError,
      name: isFieldError,
    }),
  },
  brand: { brand: isBrandName, networks: areNetworkNames },
  focus: {},
  blur: {},
  /** The form wants the keyboard, which the browser does not let it take. */
  take: {},
  submit: {},
  /** Sent back as it came: the frame is still there. */
  ping: {},
  title: { title: isText },
  dropped: { variable: areWords, rule: areWords },
  resize: { height: isSmallInteger },
  /** For a card that was typed. */
  token: { request: isText, serviceToken: isText, card: isTokenCard },
  /** For the security code of a saved card. */
  code: { request: isText, paymentInstrumentId: isText, securityCodeToken: isText, card: isTokenCard },
  failed: {
    request: isText,
    code: /* @__PURE__ */ oneOf(failureCodes),
    message: isText,
    field: /* @__PURE__ */ nullable(/* @__PURE__ */ oneOf(fieldNames)),
    requestId: /* @__PURE__ */ nullable(isText),
  },
}

/** Every message from the page to the card frame. `configure` comes first, and again whenever an option changes. */
export const toFrame = {
  configure: {
    appearance: isAppearance,
    locale: isText,
    networks: isNetworkFilter,
    name: isMaybeBoolean,
    savedCards: isMaybeList,
  },
  tokenize: { request: isText, challengeResponse: isMaybeText },
  focus: {},
  clear: {},
  /** To be sent back. */
  ping: {},
}

/** A message from the card frame to the page. */
export type ToPage = Message<typeof toPage>

/** A message from the page to the card frame. */
export type ToFrame = Message<typeof toFrame>
