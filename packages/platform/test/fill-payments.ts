import { readFile } from 'node:fs/promises'

/** Where payments are added, and how many there are to be. */
export interface FilledPayments {
  /** How many payments; a fifth as many customers. */
  rows: number
  /** The account to fill. It has one payment already, which is copied. */
  accountId: string
  isPostgres: boolean
  /** When the first one was made, in Unix milliseconds; each further one came a second later. */
  startMs: number
  run: (sql: string) => Promise<unknown>
}

/** The customer of a number; the payment of a number `n` is of customer `n % (rows / 5)`. */
export function filledCustomer(n: number): { id: string; email: string } {
  return { id: `cus_${filledId(n)}`, email: `buyer${n}@example.com` }
}

/** The part of an id that follows its prefix: `pay_` and this for a payment. */
export function filledId(n: number): string {
  return String(n).padStart(22, '0')
}

/** The last four digits of the card of a payment. */
export function filledLast4(n: number): string {
  return String((n * 31) % 10_000).padStart(4, '0')
}

/** Adds customers, orders, payments and attempts, as copies of the account's newest with other values where lists look. */
export async function fillPayments(filled: FilledPayments): Promise<void> {
  const { rows, isPostgres, accountId, run } = filled
  for (const [table, { changed, count }] of Object.entries(copiesOf(filled))) {
    await run(copyRows(table, changed, { count, accountId, isPostgres, columns: await columnsOf(table) }))
  }
  const buyers = Math.ceil(rows / 5)
  const words = ["'buyer' || n || '@example.com'", "'buyer' || n", "'example'", "'com'", "'name' || (n % 100)"]
  for (const word of words) {
    await run(`${numbers(buyers, isPostgres)}
      INSERT INTO search_words (account_id, resource, word, id) SELECT '${accountId}', 'cus', ${word}, ${idSql('cus', { isPostgres })}
      FROM numbers WHERE true ON CONFLICT DO NOTHING`)
  }
}

/** Columns by what a copy has in them, as SQL over its number `n`. The rest is as in the row that is copied. */
type Changed = Readonly<Record<string, string>>

function copiesOf({ rows, isPostgres, startMs }: FilledPayments): Record<string, { changed: Changed; count: number }> {
  const buyers = Math.ceil(rows / 5)
  const id = (prefix: string, sql = 'n') => idSql(prefix, { isPostgres, sql })
  const common = { created_at: `${startMs} + n * 1000`, customer_id: id('cus', `n % ${buyers}`) }
  const amount = '100 + (n * 7919) % 100000'
  const currency = "CASE WHEN n % 3 = 0 THEN 'EUR' ELSE 'USD' END"
  const payment = { ...common, id: id('pay'), order_id: id('order'), amount, currency, idempotency_key: 'NULL' }
  const status = "CASE WHEN n % 5000 = 0 THEN 'declined' ELSE 'succeeded' END"
  return {
    customers: {
      changed: {
        created_at: common.created_at,
        id: id('cus'),
        email: "'buyer' || n || '@example.com'",
        email_key: "'buyer' || n || '@example.com'",
        first_name: "'Name' || (n % 100)",
      },
      count: buyers,
    },
    orders: { changed: { ...common, id: id('order'), amount, currency }, count: rows },
    payments: {
      changed: { ...payment, status, card_last4: padded('(n * 31) % 10000', { isPostgres, width: 4 }) },
      count: rows,
    },
    payment_attempts: { changed: { id: id('att'), payment_id: id('pay') }, count: rows },
  }
}

function idSql(prefix: string, { isPostgres, sql = 'n' }: { isPostgres: boolean; sql?: string }): string {
  return `'${prefix}_' || ${padded(sql, { isPostgres, width: 22 })}`
}

function padded(sql: string, { isPostgres, width }: { isPostgres: boolean; width: number }): string {
  return isPostgres ? `lpad((${sql})::text, ${width}, '0')` : `printf('%0${width}d', ${sql})`
}

function numbers(count: number, isPostgres: boolean): string {
  return isPostgres
    ? `WITH numbers (n) AS (SELECT generate_series(0, ${count - 1})::bigint) `
    : `WITH RECURSIVE numbers (n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM numbers WHERE n < ${count - 1}) `
}

interface Copies {
  count: number
  accountId: string
  isPostgres: boolean
  columns: readonly string[]
}

function copyRows(table: string, changed: Changed, { count, accountId, isPostgres, columns }: Copies): string {
  const values = columns.map((name) => changed[name] ?? `one.${name}`)
  return `${numbers(count, isPostgres)}
    INSERT INTO ${table} (${columns.join(', ')}) SELECT ${values.join(', ')}
    FROM numbers, (SELECT * FROM ${table} WHERE account_id = '${accountId}' ORDER BY id DESC LIMIT 1) AS one
    WHERE true ON CONFLICT DO NOTHING`
}

/** The columns of a table, by the schema that is generated from the migrations. */
async function columnsOf(table: string): Promise<string[]> {
  const schema = await readFile(new URL('../src/storage/schema/sqlite.sql', import.meta.url), 'utf8')
  const [, body = ''] = new RegExp(`CREATE TABLE ${table} \\(([\\s\\S]*?)\\) STRICT;`).exec(schema) ?? []
  return body
    .replace(/PRIMARY KEY \([^)]*\)[\s\S]*/, '')
    .split(',')
    .map((column) => column.trim().split(/\s/)[0] ?? '')
    .filter((name) => name !== '')
}
