import { z } from 'zod'
import { exampleId } from './ids.ts'
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
  after: cursor(`1795167000000 ${exampleId('product')}`),
})

/**
 * The query field of a list's cursor.
 *
 * @param position The example of a position, of which a cursor is the base64url: an entry's id, or its time and id.
 */
export function cursor(position: string) {
  return z
    .string()
    .min(1)
    .max(255)
    .optional()
    .meta({
      description: 'The start of the page: `nextCursor` of the previous page.',
      examples: [btoa(position).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '')],
    })
}

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
