import { type JsonSchema, resolveSchema } from '@tillwright/contract'
import { z } from 'zod'

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

/** A page of a list. */
interface Page {
  data: readonly unknown[]
  nextCursor: string | null
}

/**
 * A list as CSV with a header, page after page as the client takes them. Source: RFC 4180.
 *
 * A failure in the middle breaks the stream off, so that a part is not taken for the whole.
 *
 * @param more Reads the page behind a cursor.
 */
export function csvStream(
  columns: readonly CsvColumn[],
  first: Page,
  more: (after: string) => Promise<Page>,
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  const header = line(columns.map(({ path }) => path.join('.')))
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
      else page = await more(nextCursor)
    },
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

/** Spreadsheets run text that begins like this as a formula. Source: OWASP, "CSV Injection". */
function withoutFormula(text: string): string {
  return /^[=+\-@\t\r\n|%]/.test(text) ? `'${text}` : text
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null
}
