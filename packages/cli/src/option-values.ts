import { InvalidArgumentError, Option } from 'commander'
import { parseInstant } from './parse-instant.ts'

/** An option that may be given several times, each time with one of the values. Absent, it is `undefined`. */
export function severalOf<Value extends string>(
  [flags, description]: readonly [string, string],
  values: readonly Value[],
): Option {
  return new Option(flags, description).argParser((text: string, before: readonly Value[] | undefined) => {
    const value = values.find((each) => each === text)
    if (value === undefined) throw new InvalidArgumentError(`It must be one of: ${values.join(', ')}.`)
    return [...(before ?? []), value]
  })
}

/** An option that may be given several times. Absent, it is `undefined`. */
export function several([flags, description]: readonly [string, string]): Option {
  return new Option(flags, description).argParser((text: string, before: readonly string[] | undefined) => [
    ...(before ?? []),
    text,
  ])
}

/** Reads a whole number. */
export function wholeNumber(text: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text)
  throw new InvalidArgumentError('It must be a whole number.')
}

/** Reads a moment, as Unix time in milliseconds. */
export function instant(text: string): number {
  const atMs = parseInstant(text)
  if (atMs !== null) return atMs
  throw new InvalidArgumentError(
    'It must be a time with its offset, like 2030-01-31T12:00:00Z, or a day of UTC, like 2030-01-31.',
  )
}
