import { isObject } from '@tillwright/contract/json'

/** Checks whether a value from another window or from the network has the type `T`. */
export type Guard<T> = (value: unknown) => value is T

/** The fields of an object, each with the guard that judges it. */
type Fields = Readonly<Record<string, Guard<unknown>>>

/** The type of an object whose fields have passed their guards. */
type Checked<F extends Fields> = { [K in keyof F]: F[K] extends Guard<infer T> ? T : never }

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

/** A value that passes another guard, or `null`. */
export function nullable<T>(guard: Guard<T>): Guard<T | null> {
  return (value): value is T | null => value === null || guard(value)
}

/** An object with these fields. Other fields are allowed: a newer side may send more. */
export function objectOf<F extends Fields>(fields: F): Guard<Checked<F>> {
  return (value): value is Checked<F> =>
    isObject(value) && Object.entries(fields).every(([name, guard]) => guard(value[name]))
}

/**
 * Reads what came over a port.
 *
 * @returns The message, or `null` for a type that is not in the table and for fields that are not as it says; such data
 *   is dropped without an answer, so that a stranger learns nothing from it.
 */
export function parseMessage<T extends MessageTable>(table: T, data: unknown): Message<T> | null {
  // A map takes any key and knows none by inheritance.
  const fields = isObject(data) && new Map<unknown, Fields>(Object.entries(table)).get(data.type)
  if (!fields || !objectOf(fields)(data)) return null
  // `type` is a key of the table, and every field that the table lists under it has just passed its guard.
  return data as Message<T>
}

/** One direction's messages: type -> fields. */
export type MessageTable = Readonly<Record<string, Fields>>

/** Any message of a table. */
export type Message<T extends MessageTable> = { [K in keyof T]: { type: K } & Checked<T[K]> }[keyof T]
