import { defineTable, text } from '../storage/index.ts'

/** The words by which resources are found: one row a word and resource. */
export const searchWordsTable = defineTable('search_words', {
  account_id: text,
  /** The kind of resource, which is the prefix of its generated ids, such as `cus`. */
  resource: text,
  id: text,
  word: text,
})
