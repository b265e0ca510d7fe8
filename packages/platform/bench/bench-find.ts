import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { contract } from '@tillwright/contract'
import { createDatabase } from '../../../.ci/postgres-database.ts'
import type { LocalFile } from '../src/local/start-local.ts'
import { ask } from './ask.ts'
import { type BenchPlace, execute } from './execute.ts'
import { type Started, startProcess } from './start-process.ts'

const P99_MS = 20
const CALLS = 200
/** How many payments there are; a fifth as many customers. */
const SIZES = [1_000, Number(process.env['BENCH_ROWS'] ?? 1_000_000)]

/** Pages of filtered and searched payments, orders and customers beside a thousand and a million of them, on both engines. */
export async function benchFind(postgresUrl: string | null): Promise<void> {
  await reportEngine('sqlite', undefined)
  if (postgresUrl !== null) await reportEngine('postgres', await createDatabase(postgresUrl))
}

async function reportEngine(engine: string, databaseUrl: string | undefined): Promise<void> {
  const options = { rateLimits: 'off', ...(databaseUrl !== undefined && { databaseUrl }) } as const
  const platform = await startProcess('platform', options)
  try {
    const local: LocalFile = JSON.parse(await readFile(join(platform.home, 'local.json'), 'utf8'))
    const accountId = await payOnce(local)
    for (const rows of SIZES) {
      await fill(rows, accountId, { home: platform.home, databaseUrl })
      await measureAll(`${engine}, ${rows.toLocaleString('en')} payments`, { platform, key: local.apiKey, rows })
    }
  } finally {
    await platform.stop()
  }
}

/** One payment, of which the others are copies. @returns The account. */
async function payOnce(local: LocalFile): Promise<string> {
  const api = { origin: local.apiUrl, key: local.apiKey }
  const { paymentInstrument } = await ask(
    contract.paymentInstruments.createFromToken,
    { body: { serviceToken: 'tok_visa', storeId: local.storeId } },
    api,
  )
  const body = { storeId: local.storeId, paymentInstrumentId: paymentInstrument.id, amount: 1_999, currency: 'USD' }
  return (await ask(contract.payments.create, { body }, api)).accountId
}

/** The pages that are asked for, each of a number that changes with every call. */
function pages(rows: number): Record<string, { path: string; query: (call: number) => Record<string, string> }> {
  const customers = rows / 5
  const [payments, orders, buyers] = [
    contract.payments.list.path,
    contract.orders.list.path,
    contract.customers.list.path,
  ]
  const at = (call: number) => new Date(START_MS + ((call * 7_919) % rows) * 1_000).toISOString()
  return {
    'payments, newest': { path: payments, query: () => ({}) },
    'payments of a customer': {
      path: payments,
      query: (call) => ({ customerId: customerId((call * 37) % customers) }),
    },
    'payments of a rare status': { path: payments, query: () => ({ status: 'declined' }) },
    'payments of a status, store, currency and amount': {
      path: payments,
      query: () => ({ status: 'succeeded', currency: 'EUR', amountFrom: '5000', amountTo: '6000' }),
    },
    'payments of a currency that none has': { path: payments, query: () => ({ currency: 'JPY' }) },
    'payments of a day': { path: payments, query: (call) => ({ createdBefore: at(call) }) },
    'payments by e-mail address': {
      path: payments,
      query: (call) => ({ q: `buyer${(call * 37) % customers}@example.com` }),
    },
    'payments by last four digits': {
      path: payments,
      query: (call) => ({ q: String((call * 31) % 10_000).padStart(4, '0') }),
    },
    'payments by amount': { path: payments, query: (call) => ({ q: (100 + ((call * 53) % 1_000)).toFixed(2) }) },
    'payments by an order’s id': { path: payments, query: (call) => ({ q: `order_${padded((call * 37) % rows)}` }) },
    'orders of a customer': { path: orders, query: (call) => ({ customerId: customerId((call * 37) % customers) }) },
    'customers by a word that all have': { path: buyers, query: () => ({ q: 'example' }) },
    'customers by the beginning of a name': { path: buyers, query: (call) => ({ q: `nam${call % 10}` }) },
    'customers by two words': { path: buyers, query: (call) => ({ q: `name${call % 100} buyer${call % 10}` }) },
  }
}

const START_MS = Date.UTC(2026, 0, 1)

function padded(n: number): string {
  return String(n).padStart(22, '0')
}

function customerId(n: number): string {
  return `cus_${padded(n)}`
}

async function measureAll(
  where: string,
  { platform, key, rows }: { platform: Started; key: string; rows: number },
): Promise<void> {
  for (const [name, { path, query }] of Object.entries(pages(rows))) {
    const times: number[] = []
    for (let call = 0; call < CALLS; call += 1) {
      const address = `${platform.url}${path}?${new URLSearchParams(query(call))}`
      const startedAt = performance.now()
      const answer = await fetch(address, { headers: { Authorization: `Bearer ${key}` } })
      const text = await answer.text()
      times.push(performance.now() - startedAt)
      if (!answer.ok) throw new Error(`${address} answered ${text}`)
    }
    times.sort((a, b) => a - b)
    const [p50, p99] = [0.5, 0.99].map((share) => times[Math.floor(times.length * share)] ?? 0)
    const figures = `p50 ${(p50 ?? 0).toFixed(1)} ms, p99 ${(p99 ?? 0).toFixed(1)} ms (at most ${P99_MS})`
    console.log(`${(p99 ?? 0) <= P99_MS ? 'ok  ' : 'MISS'} ${where}: ${name}: ${figures}`)
  }
}

/** Columns by what a copy has in them, as SQL over its number `n`. The rest is as in the row that is copied. */
type Changed = Readonly<Record<string, string>>

async function fill(rows: number, accountId: string, place: BenchPlace): Promise<void> {
  const isPostgres = place.databaseUrl !== undefined
  const pad = (sql: string, width: number) =>
    isPostgres ? `lpad((${sql})::text, ${width}, '0')` : `printf('%0${width}d', ${sql})`
  const id = (prefix: string, sql = 'n') => `'${prefix}_' || ${pad(sql, 22)}`
  const owner = id('cus', `n % ${Math.ceil(rows / 5)}`)
  const common = { created_at: `${START_MS} + n * 1000`, customer_id: owner }
  const amount = '100 + (n * 7919) % 100000'
  const currency = "CASE WHEN n % 3 = 0 THEN 'EUR' ELSE 'USD' END"
  const payment = { ...common, id: id('pay'), order_id: id('order'), amount, currency, idempotency_key: 'NULL' }
  const status = "CASE WHEN n % 5000 = 0 THEN 'declined' ELSE 'succeeded' END"
  const tables: Record<string, { changed: Changed; count: number }> = {
    customers: {
      changed: {
        created_at: common.created_at,
        id: id('cus'),
        email: "'buyer' || n || '@example.com'",
        email_key: "'buyer' || n || '@example.com'",
        first_name: "'Name' || (n % 100)",
      },
      count: Math.ceil(rows / 5),
    },
    orders: { changed: { ...common, id: id('order'), amount, currency }, count: rows },
    payments: { changed: { ...payment, status, card_last4: pad('(n * 31) % 10000', 4) }, count: rows },
    payment_attempts: { changed: { id: id('att'), payment_id: id('pay') }, count: rows },
  }
  for (const [table, { changed, count }] of Object.entries(tables)) {
    await execute(place, [copyRows(table, changed, { count, accountId, isPostgres, columns: await columnsOf(table) })])
  }
  const words = ["'buyer' || n || '@example.com'", "'buyer' || n", "'example'", "'com'", "'name' || (n % 100)"]
  await execute(place, [
    ...words.map(
      (word) => `${numbers(Math.ceil(rows / 5), isPostgres)}
      INSERT INTO search_words (account_id, resource, word, id) SELECT '${accountId}', 'cus', ${word}, ${id('cus')}
      FROM numbers WHERE true ON CONFLICT DO NOTHING`,
    ),
    isPostgres ? 'VACUUM ANALYZE' : 'PRAGMA wal_checkpoint(TRUNCATE)',
  ])
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
