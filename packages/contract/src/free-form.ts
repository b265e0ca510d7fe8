import { z } from 'zod'
import {
  FREE_FORM_MAX_KEYS,
  MANIFEST_MAX_BYTES,
  MANIFEST_MAX_VALUES,
  NAME_MAX_CHARS,
  SMALL_FORM_MAX_CHARS,
  SMALL_FORM_MAX_KEYS,
} from './limits.ts'

const fieldName = z.string().max(NAME_MAX_CHARS)

/** An object of any names, at most `max` of them. */
export function recordOf<Value extends z.ZodType>(value: Value, max: number): z.ZodRecord<typeof fieldName, Value> {
  return z
    .record(fieldName, value)
    .refine((sent) => Object.keys(sent).length <= max, `must have at most ${max} names`)
    .meta({ maxProperties: max })
}

/** An object whose contents are its sender's own; they are kept as they are sent. */
export const freeForm = recordOf(z.unknown(), FREE_FORM_MAX_KEYS)

/** The same where many of them are kept: at most 100 names, and 20,000 characters as JSON. */
export const smallFreeForm = recordOf(z.unknown(), SMALL_FORM_MAX_KEYS)
  .refine(
    (sent) => JSON.stringify(sent).length <= SMALL_FORM_MAX_CHARS,
    `must have at most ${SMALL_FORM_MAX_CHARS} characters as JSON`,
  )
  .meta({ maxProperties: SMALL_FORM_MAX_KEYS })

/** Refuses what would be longer than 1 MiB as JSON, or has more than 5,000 values. */
export function fitsManifest(value: unknown): boolean {
  if (countValues(value) > MANIFEST_MAX_VALUES) return false
  return new TextEncoder().encode(JSON.stringify(value)).length <= MANIFEST_MAX_BYTES
}

/** How many values there are in one: objects, arrays and what stands in them, names not counted. */
export function countValues(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 1
  let count = 1
  for (const inner of Array.isArray(value) ? value : Object.values(value)) count += countValues(inner)
  return count
}

/** What `fitsManifest` refuses with. */
export const tooLongForManifest = `must be at most ${MANIFEST_MAX_BYTES} bytes as JSON, with at most ${MANIFEST_MAX_VALUES} values`
