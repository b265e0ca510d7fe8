import { isIP } from 'node:net'
import { currencyOfNumber } from '@tillwright/contract'
import type { ErrorCode } from './error-codes.ts'
import type { EmvValue } from './emv-message.ts'

/** What is wrong with a value. The path is empty for the value itself, else that of the field inside it. */
export interface Flaw {
  path: string
  code: Extract<ErrorCode, '201' | '203' | '304'>
}

/** A rule for the value of a field: what is wrong with it, nothing when it is good. */
export type Format = (value: EmvValue) => readonly Flaw[]

const good: readonly Flaw[] = []
const badFormat: readonly Flaw[] = [{ path: '', code: '203' }]

/** A string that fits the pattern. */
export function pattern(regexp: RegExp): Format {
  return string((value) => regexp.test(value))
}

/** A string of at least one character that passes the test. No field is ever sent empty. */
function string(passes: (value: string) => boolean): Format {
  return (value) => (typeof value === 'string' && value !== '' && passes(value) ? good : badFormat)
}

/** Any string of up to so many characters. */
export function text(max: number, min = 1): Format {
  return string((value) => value.length <= max && value.length >= min)
}

/** A string of digits. */
export function digits(min: number, max = min): Format {
  return pattern(new RegExp(`^\\d{${min},${max}}$`))
}

/** One of these strings. */
export function oneOf(...values: readonly string[]): Format {
  return string((value) => values.includes(value))
}

/**
 * A two-digit code: from 01 to the last that the standard has given a meaning, or 80 to 99, which belong to the payment
 * systems.
 */
export function code(last: number): Format {
  return string((value) => isCode(value) && (isBetween(Number(value), 1, last) || Number(value) >= 80))
}

/** Whether a text has the form of a code, whatever it means. */
export function isCode(value: string): boolean {
  return /^\d\d$/.test(value)
}

/** A number within bounds, written with leading zeros. */
export function numeral(length: number, { from, to }: { from: number; to: number }): Format {
  return string((value) => value.length === length && /^\d+$/.test(value) && isBetween(Number(value), from, to))
}

function isBetween(value: number, from: number, to: number): boolean {
  return value >= from && value <= to
}

export const flag: Format = (value) => (typeof value === 'boolean' ? good : badFormat)
export const onlyTrue: Format = (value) => (value === true ? good : badFormat)

/** Whether a value is an id of the standard. Source: RFC 9562, the canonical form, of any version. */
export function isUuid(value: EmvValue | undefined): value is string {
  return typeof value === 'string' && /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i.test(value)
}
export const uuid: Format = string(isUuid)

/** @param max Characters. */
export function url(max: number): Format {
  return string((value) => value.length <= max && /^https?:\/\//i.test(value) && URL.canParse(value))
}

export const ip: Format = string((value) => value.length <= 45 && isIP(value) !== 0)
/** An address with one @, something before it and a domain behind it. */
export const email: Format = string((value) => value.length <= 254 && /^[^@\s]+@[^@\s]+$/.test(value))

/** ISO 3166-1 numeric by its form; whether there is such a country is the directory's to say. */
export const country: Format = digits(3)

/** ISO 4217 numeric: three digits, and a currency (304 when there is none of the number). */
export const currency: Format = (value) => {
  if (typeof value !== 'string' || !/^\d{3}$/.test(value)) return badFormat
  return currencyOfNumber(value) === null ? [{ path: '', code: '304' }] : good
}

/** A time in the digits of its parts from the year on, as `YYYYMMDD` (8), `YYYYMMDDHHMM` (12) or with seconds (14). */
export function time(length: 8 | 12 | 14): Format {
  return string((value) => value.length === length && /^\d+$/.test(value) && isTime(value))
}

function isTime(value: string): boolean {
  const [year, month, day, hour, minute, second] = `${value}000000`.match(/^\d{4}|\d\d/g) ?? []
  const iso = `${year}-${month}-${day}T${hour}:${minute}:${second}.000Z`
  const parsed = new Date(iso)
  return !Number.isNaN(parsed.getTime()) && parsed.toISOString() === iso
}

/** Whether a text is the cryptogram of an authentication: 20 bytes in base64. */
export function isProof(value: string): boolean {
  return /^(?=.{28}$)[A-Za-z0-9+/]{26,28}={0,2}$/.test(value)
}
export const proof: Format = string(isProof)
/** YYMM. */
export const expiry: Format = pattern(/^\d\d(?:0[1-9]|1[0-2])$/)
/** A signed object in compact form. Source: RFC 7515, 7.1. */
export const jws: Format = pattern(/^[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+$/)

/** A list of up to so many values, each of the format. */
export function list(item: Format, max: number): Format {
  return (value) => {
    if (!isList(value) || value.length === 0 || value.length > max) return badFormat
    return value.flatMap((each, index) => item(each).map((flaw) => ({ ...flaw, path: `[${index}]${flaw.path}` })))
  }
}

/** An object with fields of its own. Fields that are not named here are ignored, as everywhere in the standard. */
export function object(
  fields: Readonly<Record<string, Format>>,
  { required = [], maxChars }: { required?: readonly string[]; maxChars?: number } = {},
): Format {
  return (value) => {
    if (!isRecord(value)) return badFormat
    if (maxChars !== undefined && JSON.stringify(value).length > maxChars) return badFormat
    const missing = required.filter((name) => value[name] === undefined)
    const flaws = Object.entries(fields).flatMap(([name, format]) => {
      const inner = value[name]
      return inner === undefined ? [] : format(inner).map((flaw) => ({ ...flaw, path: `.${name}${flaw.path}` }))
    })
    return [...missing.map((name) => ({ path: `.${name}`, code: '201' as const })), ...flaws]
  }
}

/** Any object of up to so many characters of JSON. */
export function anyObject(maxChars: number): Format {
  return object({}, { maxChars })
}

export function isList(value: EmvValue | undefined): value is readonly EmvValue[] {
  return Array.isArray(value)
}

export function isRecord(value: EmvValue | undefined): value is { readonly [name: string]: EmvValue } {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
