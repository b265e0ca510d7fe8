import { z } from 'zod'
import { exampleId, type idPrefixes, reference } from './ids.ts'
import { METADATA_KEY_MAX_CHARS, NAME_MAX_CHARS, PAGE_MAX } from './limits.ts'
import { amount, currency } from './money.ts'
import { cursor, pageOf, pageQuery } from './pagination.ts'
import { anyTimestamp } from './text.ts'

/**
 * A list in the one grammar of all lists: pages by cursor, newest first unless `order` is `asc`, and the resource's own
 * filters, of which all that are sent must hold. The same list is answered as CSV where `Accept` asks for `text/csv`.
 *
 * @param entry One entry, the same as the resource's own GET returns.
 * @param filters Optional query fields by which the list can be filtered.
 * @returns The parts of the operation that make it a list.
 */
export function listOf<Entry extends z.ZodType, Filters extends z.core.$ZodLooseShape>(entry: Entry, filters: Filters) {
  return {
    query: pageQuery.extend({ order, after: afterId, ...filters }),
    response: pageOf(entry),
    list: { entry },
  } as const
}

const afterId = cursor(exampleId('payment'))

/** Of lists whose ids callers can choose: their order is by time, which is in the cursor, too. */
export const byTime = { after: pageQuery.shape.after }

const order = z
  .enum(['desc', 'asc'])
  .default('desc')
  .meta({ description: 'By time of creation: `desc` is newest first, `asc` oldest first.', examples: ['desc'] })

/** The paragraph that every list's description ends with. */
export const howToList =
  'All filters that you send must hold. While `hasMore` is true, pass `nextCursor` as `after` to get the next page; with ' +
  'filters a page can have fewer entries than `limit`, or none, and still have a next one. With `Accept: text/csv` all ' +
  'pages from `after` on are sent as one CSV file.'

/** Filters by the time of creation. */
export const createdBetween = {
  createdFrom: anyTimestamp
    .optional()
    .meta({ description: 'Only entries created at this time or later.', examples: ['2026-11-01T00:00:00Z'] }),
  createdBefore: anyTimestamp
    .optional()
    .meta({ description: 'Only entries created before this time.', examples: ['2026-12-01T00:00:00Z'] }),
}

const sentAmount = z.coerce.number().pipe(amount)

/** Filters by the amount, both ends included. */
export const amountBetween = {
  amountFrom: sentAmount
    .optional()
    .meta({ description: 'Only entries of this amount or more, in minor units.', examples: [1_000] }),
  amountTo: sentAmount
    .optional()
    .meta({ description: 'Only entries of this amount or less, in minor units.', examples: [5_000] }),
  currency: currency.optional().meta({ description: 'Only entries in this currency.', examples: ['USD'] }),
}

/** A filter by the object of this kind that an entry belongs to. An unknown id has no entries. */
export function ofResource(kind: keyof typeof idPrefixes, description: string) {
  return reference.optional().meta({ description, examples: [exampleId(kind)] })
}

/** A filter by the operation that an entry is about, such as `products.create`. An unknown one has no entries. */
export function ofOperation(description: string) {
  return z
    .string()
    .regex(/^[A-Za-z0-9_.-]{1,64}$/, 'must be a group and a name, such as "products.create"')
    .optional()
    .meta({ minLength: 1, maxLength: 64, description, examples: ['products.create'] })
}

const ID_MAX_CHARS = 128

/** A filter by the entries' own ids, with commas between. Unknown ones are left out. */
export function idsFilter(kind: keyof typeof idPrefixes, description: string) {
  return z
    .string()
    .min(1)
    .max(PAGE_MAX * (ID_MAX_CHARS + 1))
    .refine((list) => list.split(',').length <= PAGE_MAX, `has more than ${PAGE_MAX} ids: send fewer at once`)
    .optional()
    .meta({ description, examples: [`${exampleId(kind)},${exampleId(kind)}`] })
}

/** A filter by a boolean: `true` or `false`. */
export function flagFilter(description: string) {
  return z
    .union([z.boolean(), z.enum(['true', 'false']).transform((word) => word === 'true')])
    .optional()
    .meta({ description, examples: [true] })
}

/** A filter by one key of an object's metadata. */
export const metadataFilter = z
  .string()
  .min(1)
  .max(METADATA_KEY_MAX_CHARS + 1 + NAME_MAX_CHARS)
  .optional()
  .meta({
    description: 'Only entries with this metadata: `campaign=spring`, or `campaign` for any value of the key.',
    examples: ['campaign=spring'],
  })

/** The maximum length of `q`. */
export const SEARCH_MAX_CHARS = 255

/**
 * The search field of a list.
 *
 * @param what The searchable fields, as the end of a sentence: 'an e-mail address or a name'.
 */
export function searchFor(what: string, example: string) {
  return z
    .string()
    .trim()
    .min(1)
    .max(SEARCH_MAX_CHARS)
    .optional()
    .meta({
      description: `Searches for ${what}. Ignores case and accents; each word may be the beginning of one.`,
      examples: [example],
    })
}
