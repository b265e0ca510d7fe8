import { countryNumber } from '../countries.ts'
import { currencyExponent } from '../currencies.ts'
import { TEXT_MAX_CHARS } from '../limits.ts'
import { locale } from '../text.ts'

/** A value of `format` in the JSON Schema of a plugin's settings. */
export interface ConfigFormat {
  /** The type of value that the format applies to; others pass. */
  of: 'string' | 'object'
  /** Whether a value of that type is valid. */
  test: (value: unknown) => boolean
  /** The requirement, as the end of a sentence: "must be ...". */
  rule: string
}

/**
 * Settings formats that JSON Schema does not define, or that are interpreted more strictly here. They are plain
 * predicates, so that building and serving a plugin apply the same rules.
 */
export const configFormats: Readonly<Record<string, ConfigFormat>> = {
  color: text(isColor, 'must be a colour such as "#224466" or "rgb(34 68 102 / 50%)"'),
  image: text(
    isImage,
    'must be an address that starts with https://, or a path such as "/images/tote.png"; empty for none',
  ),
  uri: text((value) => URL.canParse(value), 'must be an absolute address such as "https://shop.example/"'),
  url: text(isWebAddress, 'must be an address that starts with https:// or http://'),
  locale: text(isLocale, 'must be a language tag such as "en" or "pt-BR"'),
  currency: text((value) => currencyExponent(value) !== null, 'must be an ISO 4217 currency such as "EUR"'),
  country: text((value) => countryNumber(value) !== null, 'must be an ISO 3166 country such as "DE"'),
  variant: text((value) => /^[\w.:-]{0,64}$/.test(value), 'must be the id of a product variant, or empty'),
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
/** The functions of CSS Color 4, with the characters their arguments need and none that could end a declaration. */
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

/** Full language names pass as tags, because those can have up to eight letters; no actual language has such a tag. */
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
