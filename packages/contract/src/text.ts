import { z } from 'zod'
import { NAME_MAX_CHARS, TEXT_MAX_CHARS } from './limits.ts'

/** A non-empty name: 1 to 255 characters. */
export const name = z.string().min(1).max(NAME_MAX_CHARS)

/** Free text of at most 5,000 characters. */
export const text = z.string().max(TEXT_MAX_CHARS)

/** A short free string of at most 255 characters. */
export const label = z.string().max(NAME_MAX_CHARS)

/** An absolute `https:` or `http:` address. */
export const webAddress = z
  .url({ protocol: /^https?$/ })
  .max(2_048)
  .meta({ pattern: String.raw`^\s*[hH][tT][tT][pP][sS]?://`, examples: ['https://shop.example/tote.png'] })

/** An upper-case country code. Source: ISO 3166-1 alpha-2. */
export const country = z.string().regex(/^[A-Z]{2}$/, 'must be an upper-case ISO 3166-1 alpha-2 code, such as "DE"')

/** An IPv4 or IPv6 address. */
export const ipAddress = z
  .string()
  .regex(new RegExp(`${z.regexes.ipv4.source}|${z.regexes.ipv6.source}`), 'must be an IPv4 or IPv6 address')

/** An ISO 8601 timestamp in UTC with milliseconds, as in responses. */
export const timestamp = z.iso.datetime({ precision: 3 }).meta({ examples: ['2026-11-20T09:30:00.000Z'] })

/**
 * An ISO 8601 timestamp with any offset, as accepted in requests; read as UTC with milliseconds. Not a transform,
 * because JSON Schema leaves out the examples of fields derived from one.
 */
export const anyTimestamp = z.iso
  .datetime({ offset: true })
  .overwrite(inUtc)
  .refine((utc) => !/^[+-]/.test(utc), 'must be in the years 0000 to 9999 in UTC')
  .meta({ examples: ['2026-11-20T10:30:00+01:00'] })

/** Also called with invalid timestamps, which are already refused. */
function inUtc(sent: string): string {
  const ms = Date.parse(sent)
  return Number.isNaN(ms) ? sent : new Date(ms).toISOString()
}

/** A BCP 47 language tag, such as `pt-BR`, normalized to its canonical spelling: `PT-br` is read as `pt-BR`. */
export const locale = z
  .string()
  .max(64)
  .refine(isLanguageTag, { abort: true, error: 'must be a BCP 47 language tag, such as "en" or "pt-BR"' })
  .meta({ pattern: '^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*$', examples: ['en-US'] })
  .transform((tag) => canonical(tag) ?? tag)

function isLanguageTag(tag: string): boolean {
  return canonical(tag) !== null
}

function canonical(tag: string): string | null {
  try {
    return Intl.getCanonicalLocales(tag)[0] ?? null
  } catch {
    return null // it throws only for an invalid tag
  }
}

const number = '(?:0|[1-9][0-9]*)'
/** An identifier that contains a letter or hyphen may start with zeros, a number may not. */
const prereleasePart = `(?:${number}|[0-9]*[A-Za-z-][0-9A-Za-z-]*)`
const buildPart = '[0-9A-Za-z-]+'
const listOf = (part: string) => `${part}(?:\\.${part})*`
const version = `^${number}\\.${number}\\.${number}(?:-${listOf(prereleasePart)})?(?:\\+${listOf(buildPart)})?$`

/** A version in the format of Semantic Versioning 2.0.0, of at most 255 characters. Source: semver.org, the grammar. */
export const semver = z
  .string()
  .max(NAME_MAX_CHARS)
  .regex(new RegExp(version), 'must be a semantic version such as "1.4.0" or "2.0.0-beta.1"')
