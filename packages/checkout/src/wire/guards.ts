/** Tells whether a value from another window or from the network has the type `T`. */
export type Guard<T> = (value: unknown) => value is T

/** The fields of an object, each with the guard that judges it. */
export type Fields = Readonly<Record<string, Guard<unknown>>>

/** The type of an object whose fields have passed their guards. */
export type Checked<F extends Fields> = { [K in keyof F]: F[K] extends Guard<infer T> ? T : never }

/** The longest text that is taken, in UTF-16 units; a service token has about 700. */
export const MAX_TEXT_LENGTH = 8_192

/** A text of at most `MAX_TEXT_LENGTH`. */
export function isText(value: unknown): value is string {
  return typeof value === 'string' && value.length <= MAX_TEXT_LENGTH
}

/** `true` or `false` and nothing that merely behaves like it. */
export function isBoolean(value: unknown): value is boolean {
  return typeof value === 'boolean'
}

/** A whole number from 0 up to 10,000: a month, a year, a height in pixels. */
export function isSmallInteger(value: unknown): value is number {
  // Only a number is an integer.
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= 10_000
}

/** One member of a closed list. */
export function oneOf<const T extends string>(members: readonly T[]): Guard<T> {
  return (value): value is T => members.some((member) => member === value)
}

/** What another guard takes, or `null`. */
export function nullable<T>(guard: Guard<T>): Guard<T | null> {
  return (value): value is T | null => value === null || guard(value)
}

/** An object with these fields. Fields that nobody asked for are left alone: a newer side may send more. */
export function objectOf<F extends Fields>(fields: F): Guard<Checked<F>> {
  return (value): value is Checked<F> =>
    isObject(value) && Object.entries(fields).every(([name, guard]) => guard(value[name]))
}

/** An object that is neither `null` nor a list. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
