import { InvalidArgumentError, Option } from 'commander'

/** An option that may be repeated. Its environment variable has one value on each line. */
export class RepeatedOption extends Option {}

/** An option that may be repeated, with one of the values each time. `undefined` if absent. */
export function severalOf<Value extends string>(
  [flags, description]: readonly [string, string],
  values: readonly Value[],
): RepeatedOption {
  return new RepeatedOption(flags, description).argParser((text: string, before: readonly Value[] | undefined) => {
    const value = values.find((each) => each === text)
    if (value === undefined) throw new InvalidArgumentError(`It must be one of: ${values.join(', ')}.`)
    return [...(before ?? []), value]
  })
}

/** An option that may be repeated. `undefined` if absent. */
export function several([flags, description]: readonly [string, string]): RepeatedOption {
  return new RepeatedOption(flags, description).argParser((text: string, before: readonly string[] | undefined) => [
    ...(before ?? []),
    text,
  ])
}

/** Parses a whole number. */
export function wholeNumber(text: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text)
  throw new InvalidArgumentError('It must be a whole number.')
}

/** Parses an instant into Unix time in milliseconds. */
export function instant(text: string): number {
  const atMs = parseInstant(text)
  if (atMs !== null) return atMs
  throw new InvalidArgumentError(
    'It must be a time with its offset, like 2030-01-31T12:00:00Z, or a day in UTC, like 2030-01-31.',
  )
}

/**
 * Parses an instant into Unix time in milliseconds: `2030-01-31` is the start of that day in UTC; a time of day needs
 * an offset, `2030-01-31T12:00:00Z`. `null` for anything else. Source: ISO 8601, the extended format.
 */
export function parseInstant(text: string): number | null {
  const [, date] = /^(\d{4}-\d\d-\d\d)(T\d\d:\d\d(:\d\d(\.\d{1,3})?)?(Z|[+-]\d\d:\d\d))?$/.exec(text) ?? []
  return date !== undefined && isDate(date) && !Number.isNaN(Date.parse(text)) ? Date.parse(text) : null
}

/** `Date` would turn February 30 into March 2. */
function isDate(text: string): boolean {
  const day = new Date(`${text}T00:00:00Z`)
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text)
}

const UNITS_MS = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 } as const

/** The longest duration: ten years of days. */
const LONGEST_MS = 3_650 * UNITS_MS.d

/**
 * Parses a duration into milliseconds: `32d`, `2h`, `15m`, `30s`, `1w`; at most 3650 days. `null` for anything else,
 * including zero.
 */
export function parseDuration(text: string): number | null {
  const [, count, unit] = /^(\d{1,9})([smhdw])$/.exec(text) ?? []
  if (count === undefined || unit === undefined) return null
  const ms = Number(count) * UNITS_MS[unit as keyof typeof UNITS_MS] // the pattern allows no others
  return ms > 0 && ms <= LONGEST_MS ? ms : null
}

/** `paymentInstrumentId` as `payment-instrument-id`. */
export function kebab(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
}

/** `--overlap`: for how many hours what is replaced goes on beside what replaces it. */
export function overlapOption(description: string): Option {
  return new Option('--overlap <hours>', `${description}, 0 to 168`).argParser(wholeNumber)
}
