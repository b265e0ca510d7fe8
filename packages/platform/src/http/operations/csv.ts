import { type JsonSchema, type Operation, resolveSchema } from '@tillwright/contract'
import { z } from 'zod'
import type { Handler } from '../../request-context.ts'

/** Whether a request prefers CSV: `Accept` names `text/csv`, and not with `q=0`. Source: RFC 9110, 12.5.1. */
export function asksForCsv(accept: string | undefined): boolean {
  return (accept ?? '').split(',').some((range) => /^\s*text\/csv\s*(;(?!\s*q=0(\.0*)?\s*(;|$))[^,]*)?$/i.test(range))
}

/** A column of a CSV file: a value of an entry, by the names that lead to it. */
interface CsvColumn {
  path: readonly string[]
  /** Text is protected against being taken for a formula; numbers and the platform's own words are what they are. */
  isText: boolean
}

/**
 * The columns of a list as CSV: every single value of an entry, those of objects within it as `customer.email`. Lists
 * within an entry are left out but for lists of words, and free objects such as `metadata` are one column of JSON.
 */
export function csvColumns(entry: z.ZodType): CsvColumn[] {
  const root: JsonSchema = z.toJSONSchema(entry, { io: 'output', unrepresentable: 'any' })
  return columnsOf(root, [], root)
}

function columnsOf(sent: JsonSchema | boolean | undefined, path: readonly string[], root: JsonSchema): CsvColumn[] {
  const schema = resolveSchema(sent, root)
  const branches = (schema.anyOf ?? schema.oneOf ?? []).map((branch) => resolveSchema(branch, root))
  const [some = schema] = branches.filter(({ type }) => type !== 'null')
  if (some.type === 'object' && some.properties !== undefined && Object.keys(some.properties).length > 0) {
    return Object.entries(some.properties).flatMap(([name, property]) => columnsOf(property, [...path, name], root))
  }
  if (some.type === 'array') {
    const items = Array.isArray(some.items) ? {} : resolveSchema(some.items, root)
    return items.type === 'string' ? [{ path, isText: true }] : []
  }
  return [{ path, isText: some.type !== 'number' && some.type !== 'integer' && some.type !== 'boolean' }]
}

/** Entries in each page of a file: more than of a page alone, so that a file takes fewer of the caller's tokens. */
const CSV_PAGE_ENTRIES = 500

/** Answers a page of a list. */
type AnswerPage = (query: object) => Promise<Awaited<ReturnType<Handler<Operation>>>>

/** Where the pages of a file come from. */
interface CsvPages {
  /** The filters, and the cursor to begin at. */
  query: object
  first: AnswerPage
  /** Admits the caller to the next page. */
  next: (stopped: AbortSignal) => Promise<AnswerPage>
  /** Cuts the connection, so that a part is not taken for the whole. */
  breakOff: (reason: unknown) => void
}

/**
 * All pages of a list as one file, from the cursor that was sent on. The first one is read before anything is answered.
 *
 * @throws {ApiError} What the list refuses.
 */
export async function csvFile({ path, list, response }: Operation, { query, first, next, breakOff }: CsvPages) {
  const read = async (answer: AnswerPage, position: object) => {
    const reply = await answer({ ...query, ...position, limit: CSV_PAGE_ENTRIES })
    // A list's schema has made the answer a page.
    return Object('body' in reply ? reply.body : null) as Page
  }
  const more = async (after: string, stopped: AbortSignal) => read(await next(stopped), { after })
  const stream = csvStream(csvColumns(list?.entry ?? response), await read(first, {}), { more, breakOff })
  const headers = {
    'Content-Type': 'text/csv; charset=utf-8; header=present',
    'Content-Disposition': `attachment; filename="${path.split('/').at(-1)}.csv"`,
  }
  return { stream, headers }
}

/** A page of a list. */
interface Page {
  data: readonly unknown[]
  nextCursor: string | null
}

/**
 * A list as CSV with a header, page after page as the client takes them. Source: RFC 4180.
 *
 * @param rest `more` reads the page after a cursor, and stops if the client has gone; `breakOff` is called with the
 *   reason if a page cannot be read.
 */
export function csvStream(
  columns: readonly CsvColumn[],
  first: Page,
  rest: { more: (after: string, stopped: AbortSignal) => Promise<Page>; breakOff: CsvPages['breakOff'] },
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  const header = line(columns.map(({ path }) => path.join('.')))
  const gone = new AbortController()
  let page: Page | null = first
  return new ReadableStream({
    start: (controller) => controller.enqueue(encoder.encode(header)),
    async pull(controller) {
      if (page === null) return
      const lines = page.data.map((entry) => line(columns.map((column) => cellOf(entry, column))))
      const { nextCursor } = page
      page = null
      if (lines.length > 0) controller.enqueue(encoder.encode(lines.join('')))
      if (nextCursor === null) controller.close()
      else page = await rest.more(nextCursor, gone.signal).catch((reason: unknown) => (rest.breakOff(reason), null))
    },
    cancel: () => gone.abort(),
  })
}

/** Text in pieces, each made when the client takes it. */
export function textStream(text: AsyncIterable<string>): ReadableStream<Uint8Array> {
  const pieces = text[Symbol.asyncIterator]()
  const encoder = new TextEncoder()
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await pieces.next()
      if (done === true) controller.close()
      else controller.enqueue(encoder.encode(value))
    },
    cancel: async () => void (await pieces.return?.()),
  })
}

function line(cells: readonly string[]): string {
  return `${cells.map((cell) => (/[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)).join(',')}\r\n`
}

function cellOf(entry: unknown, { path, isText }: CsvColumn): string {
  const value = path.reduce<unknown>((inner, name) => (isObject(inner) ? inner[name] : undefined), entry)
  if (value === undefined || value === null) return ''
  if (!isText) return JSON.stringify(value)
  return withoutFormula(typeof value === 'string' ? value : textOf(value))
}

function textOf(value: unknown): string {
  return Array.isArray(value) ? value.join(' ') : JSON.stringify(value)
}

/**
 * Spreadsheets run text that begins like this as a formula, full-width characters included. Where the machine's list
 * separator is a semicolon, a cell begins behind each one and behind each line's end, quoted or not.
 * Source: OWASP, "CSV Injection".
 */
function withoutFormula(text: string): string {
  return text.replaceAll(/^(?=[\t\r\n])|(?<=^|[;\t\r\n])(?="*[=+\-@|%＝＋－＠])/g, "'")
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null
}
