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

/** An object with arbitrary names, at most `max` of them. */
export function recordOf<Value extends z.ZodType>(value: Value, max: number): z.ZodRecord<typeof fieldName, Value> {
  return z
    .record(fieldName, value)
    .refine((sent) => Object.keys(sent).length <= max, `must have at most ${max} names`)
    .meta({ maxProperties: max })
}

/** An object with contents defined by its sender, stored as sent. */
export const freeForm = recordOf(z.unknown(), FREE_FORM_MAX_KEYS)

/** A free-form object for places that store many of them: at most 100 names, and 20,000 characters as JSON. */
export const smallFreeForm = recordOf(z.unknown(), SMALL_FORM_MAX_KEYS)
  .refine(
    (sent) => JSON.stringify(sent).length <= SMALL_FORM_MAX_CHARS,
    `must have at most ${SMALL_FORM_MAX_CHARS} characters as JSON`,
  )
  .meta({ maxProperties: SMALL_FORM_MAX_KEYS })

/** Refuses values over 1 MiB as JSON or with more than 5,000 values inside. */
export function fitsManifest(value: unknown): boolean {
  if (countValues(value) > MANIFEST_MAX_VALUES) return false
  return new TextEncoder().encode(JSON.stringify(value)).length <= MANIFEST_MAX_BYTES
}

/** Counts the values inside a value: objects, arrays and their members, without names. */
export function countValues(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 1
  let count = 1
  for (const inner of Array.isArray(value) ? value : Object.values(value)) count += countValues(inner)
  return count
}

/** The error message for values that `fitsManifest` refuses. */
export const tooLongForManifest = `must be at most ${MANIFEST_MAX_BYTES} bytes as JSON, with at most ${MANIFEST_MAX_VALUES} values`
