import { currencyExponents, type IdPrefix } from '@tillwright/contract'
import type { Write } from '../request-context.ts'
import { withoutAccents } from '../runtime/index.ts'
import { among, type Database, pick, rowReader } from '../storage/index.ts'
import type { Condition } from './list.ts'
import { searchWordsTable } from './tables.ts'

/** How many resources a search looks at: a word that more of them have is to be made longer, or joined by another. */
const FOUND_MAX = 1_000
const WORD_MAX_CHARS = 64
/** More than a product with all its variants has, each with a sku of some words. */
const WORDS_MAX = 1_000

/** A resource that can be found by words. */
export interface Searchable {
  accountId: string
  resource: IdPrefix
  id: string
}

/**
 * The statements that make a new resource searchable.
 *
 * @param texts Its names, e-mail addresses, codes: what people type.
 * @param exact Words that are found as a whole, and not split, such as `metadataWords`.
 */
export function indexWords(
  { accountId, resource, id }: Searchable,
  texts: readonly (string | null | undefined)[],
  exact: readonly string[] = [],
): Write[] {
  return searchedWords(texts, exact).map((word) => ({
    sql: insertWord,
    params: [accountId, resource, word, id],
    shared: true,
  }))
}

/** Takes all rows of a transaction at once, so that a server executes a single statement. */
const insertWord = `INSERT INTO search_words (account_id, resource, word, id)
  SELECT item.value ->> 0, item.value ->> 1, item.value ->> 2, item.value ->> 3 FROM {each}`

function searchedWords(texts: readonly (string | null | undefined)[], exact: readonly string[]): string[] {
  const typed = texts.flatMap((text) => wordsOf(text ?? '')).slice(0, WORDS_MAX)
  return [...new Set([...typed, ...exact])]
}

/** The statements that replace a changed resource's words, not shared: of two changes the later one's words have to stay. */
export function replaceWords(
  searchable: Searchable,
  texts: readonly (string | null | undefined)[],
  exact: readonly string[] = [],
): Write[] {
  const { accountId, resource, id } = searchable
  const sql = 'DELETE FROM search_words WHERE account_id = ? AND resource = ? AND id = ?'
  const forget = { sql, params: [accountId, resource, id] }
  const words = searchedWords(texts, exact)
  if (words.length === 0) return [forget]
  const rows = words.map(() => '(?, ?, ?, ?)').join(', ')
  return [
    forget,
    {
      sql: `INSERT INTO search_words (account_id, resource, word, id) VALUES ${rows}`,
      params: words.flatMap((word) => [accountId, resource, word, id]),
    },
  ]
}

/**
 * The words of a text: its runs of letters and digits, without case and accents, and an e-mail address as a whole.
 */
export function wordsOf(text: string): string[] {
  // Most texts are ASCII, which the tables of Unicode have nothing to say about.
  const isAscii = /^[\0-\x7f]*$/.test(text)
  const plain = (isAscii ? text : withoutAccents(text)).toLowerCase()
  const parts = plain.match(isAscii ? /[a-z0-9]+/g : /[\p{L}\p{N}]+/gu) ?? []
  const addresses = plain.includes('@') ? plain.split(/\s+/).filter((part) => part.includes('@')) : []
  return [...new Set([...addresses, ...parts].map((word) => word.slice(0, WORD_MAX_CHARS)))]
}

/** The words of metadata: each key, and each key with its value. Compared as they are, with case. */
export function metadataWords(metadata: Readonly<Record<string, unknown>>): string[] {
  return Object.entries(metadata).flatMap(([key, value]) => [keyWord(key), pairWord(`${key}=${String(value)}`)])
}

/**
 * The condition that a resource has this metadata.
 *
 * @param asked `key=value`, or `key` for any value.
 */
export function metadataFilter(asked: string | undefined): Condition[] {
  if (asked === undefined) return []
  return [{ column: 'id', is: 'has word', value: asked.includes('=') ? pairWord(asked) : keyWord(asked) }]
}

/** No word of a text begins like this. */
function keyWord(key: string): string {
  return `?${key}`
}

function pairWord(pair: string): string {
  return `=${pair}`
}

/** Where to look. */
export interface SearchPlace {
  accountId: string
  resource: IdPrefix
  db: Database
}

/**
 * The resources that have all words of a text, each word as a whole or as a beginning; the newest of those that have the
 * longest word, at most 1,000.
 *
 * @returns Their ids.
 */
export async function findByWords(text: string, place: SearchPlace): Promise<string[]> {
  const words = wordsOf(text)
  // The parts of an e-mail address add nothing to it.
  const asked = words.filter(
    (word) => !words.some((other) => other !== word && other.includes('@') && other.includes(word)),
  )
  const [longest, ...others] = asked.toSorted((one, other) => other.length - one.length)
  if (longest === undefined) return []
  const ids = await findByPrefix(longest, place)
  return others.length === 0 ? ids : havingAll(others, ids, place)
}

async function findByWord(word: string, { accountId, resource, db }: SearchPlace): Promise<string[]> {
  const sql = `SELECT id FROM search_words WHERE account_id = ? AND resource = ? AND word = ? ORDER BY id DESC LIMIT ${FOUND_MAX}`
  return readIds(await db.read(sql, [accountId, resource, word])).map(({ id }) => id)
}

async function findByPrefix(prefix: string, place: SearchPlace): Promise<string[]> {
  const { accountId, resource, db } = place
  const sql = `SELECT id FROM search_words WHERE account_id = ? AND resource = ? AND word > ? AND word < ? LIMIT ${FOUND_MAX}`
  const [whole, longer] = await Promise.all([
    findByWord(prefix, place),
    db.read(sql, [accountId, resource, prefix, prefix + LAST]),
  ])
  return [...new Set([...whole, ...readIds(longer).map(({ id }) => id)])].slice(0, FOUND_MAX)
}

/** Sorts behind all that can follow in a word. */
const LAST = '\uffff'
const readIds = rowReader(pick(searchWordsTable, 'id'))

/** Of these ids, those that have each of the words, as a whole or as a beginning. */
async function havingAll(words: readonly string[], ids: readonly string[], place: SearchPlace): Promise<string[]> {
  const [word, ...others] = words
  if (word === undefined || ids.length === 0) return [...ids]
  const { accountId, resource, db } = place
  const { sql, params } = among(ids)
  const having = `SELECT id FROM search_words WHERE account_id = ? AND resource = ? AND id ${sql} AND word >= ? AND word < ?`
  const rows = readIds(await db.read(having, [accountId, resource, ...params, word, word + LAST]))
  const known = new Set(rows.map(({ id }) => id))
  return havingAll(
    others,
    ids.filter((id) => known.has(id)),
    place,
  )
}

/** The ids of rows whose column begins with a text that looks like an id; at most 1,000. */
export async function findIdsFrom(
  text: string,
  column: string,
  { table, accountId, db }: { table: string; accountId: string; db: Database },
): Promise<string[]> {
  if (!/^[\w-]{3,64}$/.test(text)) return []
  const sql = `SELECT id FROM ${table} WHERE account_id = ? AND ${column} >= ? AND ${column} < ? LIMIT ${FOUND_MAX}`
  return readIds(await db.read(sql, [accountId, text, text + LAST])).map(({ id }) => id)
}

/**
 * The alternatives of a search for an amount as people write it: `19.99`, `$19.99`, `1.200,50`, `EUR 20`. Its value in
 * minor units depends on the currency of each row.
 *
 * @returns None for a text that is not an amount.
 */
export function amountAlternatives(text: string): Condition[][] {
  const [, before = '', digits = '', after = ''] =
    /^([A-Z]{3}|\p{Sc})?\s*([\d.,]+)\s*([A-Z]{3}|\p{Sc})?$/iu.exec(text) ?? []
  const [, whole = '', decimals = ''] = /^(\d{1,3}(?:[.,]?\d{3})*|\d+)(?:[.,](\d{1,3}))?$/.exec(digits) ?? []
  if (whole === '') return []
  const units = whole.replaceAll(/[.,]/g, '')
  const named = [before, after].map((word) => word.toUpperCase()).find((word) => /^[A-Z]{3}$/.test(word))
  return currencyExponents.flatMap(({ exponent, currencies, isRest }) => {
    if (decimals.length > exponent) return []
    const amount = Number(units + decimals.padEnd(exponent, '0'))
    if (!Number.isSafeInteger(amount)) return []
    const inCurrency: Condition =
      named === undefined
        ? { column: 'currency', is: isRest ? 'not in' : 'in', value: currencies }
        : { column: 'currency', is: '=', value: named }
    const isNamed = named === undefined || currencies.includes(named) !== isRest
    return isNamed ? [[{ column: 'amount', is: '=', value: amount } satisfies Condition, inCurrency]] : []
  })
}

/**
 * The alternatives of a search for a card: its last four digits, and its network if it is named.
 *
 * @returns None for another text.
 */
export function cardAlternatives(text: string): Condition[][] {
  const [, network = '', last4] = /^([a-z]*)[\s*.•-]*(\d{4})$/i.exec(text) ?? []
  if (last4 === undefined) return []
  const brand: Condition[] = network === '' ? [] : [{ column: 'card_brand', is: '=', value: network.toLowerCase() }]
  return [[{ column: 'card_last4', is: '=', value: last4 }, ...brand]]
}
