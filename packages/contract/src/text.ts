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
 * An ISO 8601 timestamp with its offset from UTC, as accepted in requests; read as UTC with milliseconds. Not a
 * transform, because JSON Schema leaves out the examples of fields derived from one.
 */
export const anyTimestamp = z
  .string()
  .overwrite((sent) => readTimestamp(sent) ?? sent)
  .refine((utc) => timestamp.safeParse(utc).success, {
    error: ({ input }) => timestampProblem(String(input)),
  })
  .meta({ format: 'date-time', examples: ['2026-11-20T10:30:00+01:00'] })

const datePart = String.raw`(?<year>\d{4})(?<dash>-?)(?<month>\d\d)\k<dash>(?<day>\d\d)`
const timePart = String.raw`(?<hour>\d\d)(?:(?<colon>:?)(?<minute>\d\d)(?:\k<colon>(?<second>\d\d)(?:[.,](?<fraction>\d+))?)?)?`
const offsetPart = String.raw`(?<offset>z|(?<sign>[+-])(?<offsetHour>\d\d)(?::?(?<offsetMinute>\d\d))?)`
const dateAlone = new RegExp(`^${datePart}$`)
const localTime = new RegExp(`^${datePart}t${timePart}$`, 'i')
const timestampForm = new RegExp(`^${datePart}t${timePart}${offsetPart}$`, 'i')

/**
 * Reads an ISO 8601 timestamp in its usual forms: extended or basic, with or without minutes, seconds and their
 * fraction (after a point or comma), with `Z` or an offset in hours or hours and minutes. Also takes `24:00` for the end
 * of a day and `:60` for a leap second, which is read as the second after it.
 *
 * @returns The time in UTC with milliseconds, such as `2026-11-20T09:30:00.000Z`; further decimals are cut off. `null`
 *   if it is not such a timestamp, or not in the years 0000 to 9999 in UTC. Source: ISO 8601-1, RFC 3339.
 */
export function readTimestamp(sent: string): string | null {
  const { groups } = timestampForm.exec(sent) ?? {}
  if (groups === undefined) return null
  const part = (group: string) => Number(groups[group] ?? 0)
  const midnight = new Date(0)
  midnight.setUTCFullYear(part('year'), part('month') - 1, part('day')) // Date.UTC takes the years 0 to 99 for 1900 on
  if (midnight.getUTCMonth() !== part('month') - 1 || midnight.getUTCDate() !== part('day')) return null
  const millisecond = Number((groups['fraction'] ?? '').slice(0, 3).padEnd(3, '0'))
  const [hour, minute, second] = [part('hour'), part('minute'), part('second')]
  const endsDay = hour === 24 && minute === 0 && second === 0 && millisecond === 0
  if ((hour > 23 && !endsDay) || minute > 59 || second > 60) return null
  if (part('offsetHour') > 23 || part('offsetMinute') > 59) return null
  const offsetMinutes = (part('offsetHour') * 60 + part('offsetMinute')) * (groups['sign'] === '-' ? -1 : 1)
  const ms = midnight.getTime() + ((hour * 60 + minute - offsetMinutes) * 60 + second) * 1_000 + millisecond
  if (second === 60 && !isLeapSecond(ms)) return null
  const read = new Date(ms)
  return read.getUTCFullYear() >= 0 && read.getUTCFullYear() <= 9_999 ? read.toISOString() : null
}

/** Leap seconds are inserted at the end of a month, in UTC. The time is that of the second after it. */
function isLeapSecond(nextMs: number): boolean {
  return new Date(nextMs).toISOString().slice(8, 19) === '01T00:00:00'
}

function timestampProblem(sent: string): string {
  const example = 'such as "2026-11-20T10:30:00+01:00" or "2026-11-20T09:30:00Z"'
  if (dateAlone.test(sent)) return `is a date without a time: must be an ISO 8601 timestamp with an offset, ${example}`
  if (localTime.test(sent)) return `has no offset from UTC: must end with "Z" or an offset, ${example}`
  return `must be an ISO 8601 timestamp in the years 0000 to 9999, ${example}`
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
