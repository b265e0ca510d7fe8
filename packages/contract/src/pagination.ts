import { z } from 'zod'
import { PAGE_DEFAULT, PAGE_MAX } from './limits.ts'

/** The query of a paginated list that is not in the reference. */
export const pageQuery = z.object({
  limit: z.coerce
    .number()
    .int()
    .min(1)
    .max(PAGE_MAX)
    .default(PAGE_DEFAULT)
    .meta({ description: 'The maximum number of entries per page.', examples: [PAGE_DEFAULT] }),
  after: z
    .string()
    .min(1)
    .max(255)
    .optional()
    .meta({
      description: 'The start of the page: `nextCursor` of the previous page.',
      examples: ['MTc5NTE2NzAwMDAwMCBmdW5uZWxfMDFIeDhLUW0zdlR6OUxjUnA1V2RZZQ'],
    }),
})

/** A page of a list that is not in the reference, newest entry first. */
export function pageOf<Entry extends z.ZodType>(entry: Entry) {
  return z.object({
    data: z.array(entry).meta({ description: 'The entries, newest first.' }),
    hasMore: z.boolean().meta({ description: 'Whether there is another page.', examples: [false] }),
    nextCursor: z
      .string()
      .nullable()
      .meta({ description: 'The value of `after` for the next page; null on the last page.', examples: [null] }),
  })
}
