import { z } from 'zod'
import { PAGE_DEFAULT, PAGE_MAX } from './limits.ts'

/** The query of a list beside the public API: how many, and from where on. */
export const pageQuery = z.object({
  limit: z.coerce
    .number()
    .int()
    .min(1)
    .max(PAGE_MAX)
    .default(PAGE_DEFAULT)
    .meta({ description: 'How many entries a page has at most.', examples: [PAGE_DEFAULT] }),
  after: z
    .string()
    .min(1)
    .max(255)
    .optional()
    .meta({
      description: 'Where the page begins: the `nextCursor` of the page before it.',
      examples: ['MTc5NTE2NzAwMDAwMCBmdW5uZWxfMDFIeDhLUW0zdlR6OUxjUnA1V2RZZQ'],
    }),
})

/** One page of a list beside the public API, newest first. */
export function pageOf<Entry extends z.ZodType>(entry: Entry) {
  return z.object({
    data: z.array(entry).meta({ description: 'The entries, newest first.' }),
    hasMore: z.boolean().meta({ description: 'Whether there is a next page.', examples: [false] }),
    nextCursor: z
      .string()
      .nullable()
      .meta({ description: 'What to send as `after` for the next page; null on the last one.', examples: [null] }),
  })
}
