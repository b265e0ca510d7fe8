import { z } from 'zod'
import { FREE_FORM_KEY_MAX_CHARS, FREE_FORM_MAX_CHARS, FREE_FORM_MAX_KEYS } from './limits.ts'

/** A JSON object whose fields are the caller's own: at most 100 of them, and 20,000 characters as JSON. */
export const freeForm = z
  .record(z.string().min(1).max(FREE_FORM_KEY_MAX_CHARS), z.unknown())
  .refine((object) => Object.keys(object).length <= FREE_FORM_MAX_KEYS, `must have at most ${FREE_FORM_MAX_KEYS} keys`)
  .refine(
    (object) => JSON.stringify(object).length <= FREE_FORM_MAX_CHARS,
    `must have at most ${FREE_FORM_MAX_CHARS} characters as JSON`,
  )
  .meta({ maxProperties: FREE_FORM_MAX_KEYS })
