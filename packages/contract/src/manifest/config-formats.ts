import { countryNumber } from '../countries.ts'
import { currencyExponent } from '../currencies.ts'
import { TEXT_MAX_CHARS } from '../limits.ts'
import { locale } from '../text.ts'

/** A format of a plugin's settings: a word that `format` may say in their JSON Schema. */
export interface ConfigFormat {
  /** The type of value that the format speaks of; of others it says nothing. */
  of: 'string' | 'object'
  /** Whether a value of that type fits. */
  test: (value: unknown) => boolean
  /** What a value must be, as the end of a sentence. */
  rule: string
}

/**
 * The formats of settings that JSON Schema does not have, or that are read here in a way of our own. Plain predicates:
 * who builds a plugin and who serves it use the same.
 */
export const configFormats: Readonly<Record<string, ConfigFormat>> = {
  color: text(isColor, 'must be a colour such as "#224466" or "rgb(34 68 102 / 50%)"'),
  image: text(
    isImage,
    'must be an address that begins with https://, or a path such as "/images/tote.png"; empty for none',
  ),
  uri: text((value) => URL.canParse(value), 'must be an absolute address such as "https://shop.example/"'),
  url: text(isWebAddress, 'must be an address that begins with https:// or http://'),
  locale: text(isLocale, 'must be a language tag such as "en" or "pt-BR"'),
  currency: text((value) => currencyExponent(value) !== null, 'must be a currency of ISO 4217 such as "EUR"'),
  country: text((value) => countryNumber(value) !== null, 'must be a country of ISO 3166 such as "DE"'),
  translation: {
    of: 'object',
    test: isTranslation,
    rule: 'must be texts by language, such as { "en": "Buy now", "de": "Jetzt kaufen" }',
  },
}

function text(test: (value: string) => boolean, rule: string): ConfigFormat {
  return { of: 'string', test: (value) => typeof value === 'string' && test(value), rule }
}

const hexColor = /^#(?:[0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})$/i
/** The functions of CSS Color 4, with what numbers need in them and nothing that could end a declaration. */
const colorFunction = /^(?:rgba?|hsla?|hwb|lab|lch|oklab|oklch)\([\w\s.,%+/-]{1,100}\)$/i

function isColor(value: string): boolean {
  return hexColor.test(value) || colorFunction.test(value) || /^(?:transparent|currentcolor)$/i.test(value)
}

function isImage(value: string): boolean {
  if (/^data:image\/[a-z0-9.+-]+[;,]/i.test(value)) return true
  if (/^[a-z][a-z0-9+.-]*:/i.test(value) || value.startsWith('//')) return isWebAddress(value)
  return !/[\s\\\p{Cc}]/u.test(value)
}

function isWebAddress(value: string): boolean {
  return /^https?:\/\//i.test(value) && URL.canParse(value)
}

/** Names of languages in full pass for tags, since those have up to eight letters; no language that is spoken has them. */
function isLocale(tag: string): boolean {
  return /^[a-z]{2,3}(?:-|$)/i.test(tag) && locale.safeParse(tag).success
}

function isTranslation(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  const entries = Object.entries(value)
  return (
    entries.length > 0 &&
    entries.every(([tag, said]) => isLocale(tag) && typeof said === 'string' && said.length <= TEXT_MAX_CHARS)
  )
}
