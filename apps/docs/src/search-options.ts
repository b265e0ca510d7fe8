import type { Options } from 'minisearch'

/** A document of the search index: a page, or a part of one. */
export interface Part {
  /** Its address from the site's root. */
  id: string
  page: string
  /** The heading of the part; '' for the page itself. */
  part: string
  text: string
  /** Words that others have for it. */
  also: string
  section: string
}

/** How the index is made, and so how it has to be read. */
export const searchOptions: Options<Part> = {
  fields: ['page', 'part', 'text', 'also'],
  storeFields: ['page', 'part'],
  searchOptions: {
    boost: { page: 4, part: 3, also: 8 },
    prefix: true,
    fuzzy: (word) => (word.length > 4 ? 0.2 : false),
    combineWith: 'AND',
    // Decisions, benchmarks and tables of everything are rarely what is looked for.
    boostDocument: (id) =>
      /^(?:why|contributing)\/|^reference\/(?:fields|messages|bounds)\./.test(String(id)) ? 0.4 : 1,
  },
}
