import { z } from 'zod'
import { smallFreeForm } from '../free-form.ts'

/** What a page tells of itself: the body of `POST /api/session/v1/session/events`. */
export const trackedEvent = z.object({
  name: z
    .string()
    .regex(/^[a-z][a-z0-9_]{0,63}$/, 'must be 1 to 64 lower-case letters, digits and "_", such as "video_played"')
    .meta({ description: 'What happened, in a word of the page’s own.', examples: ['video_played'] }),
  properties: smallFreeForm.default({}).meta({
    description: 'What there is to say of it: at most 20,000 characters as JSON, and nothing that is secret.',
    examples: [{ seconds: 42 }],
  }),
})
