import { isObject, objectOf, type Checked, type Fields } from './guards.ts'

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
