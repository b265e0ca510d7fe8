import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import pg from 'pg'
import type { Place } from './place.ts'

/** A payment's row. */
export interface PaymentRecord {
  id: string
  order_id: string
  status: string
  idempotency_key: string | null
}

/** An event's row, its properties read. `deliveries` counts those to the shop's endpoint. */
export interface EventRecord {
  id: string
  event_type: string
  properties: Readonly<Record<string, unknown>>
  deliveries: number
  processed: boolean
}

/** What the counters of one span of time say of all events together. */
export interface CountRecord {
  spanMs: number
  total: number
  processed: number
}

/** What is in a place's database, read past the platform. */
export interface Records {
  products: { id: string; name: string }[]
  payments: PaymentRecord[]
  orders: { id: string; status: string }[]
  attempts: { id: string; payment_id: string }[]
  /** The simulated processor's own ledger. */
  charges: { attempt_id: string; outcome: string }[]
  events: EventRecord[]
  counts: CountRecord[]
  /** The answers stored for idempotency keys; without a status while a request is at work. */
  keys: { status: number | null; body: string | null }[]
}

/** Reads them, in one transaction. */
export async function readRecords(place: Place): Promise<Records> {
  const tables = place.databaseUrl === null ? readFile(place.home) : await readServer(place.databaseUrl)
  // The columns of `queries`.
  const { products, events, counts, ...others } = tables as unknown as Omit<Records, keyof Raw> & Raw
  return {
    ...others,
    products: products.map(({ id, resource }) => ({ id, name: JSON.parse(resource).name })),
    events: events.map((event) => ({
      ...event,
      properties: JSON.parse(event.properties),
      deliveries: Number(event.deliveries),
      processed: event.processed_at !== null,
    })),
    counts: counts.map(({ span_ms: spanMs, total, processed }) => ({
      spanMs: Number(spanMs),
      total: Number(total),
      processed: Number(processed),
    })),
  }
}

interface Raw {
  products: { id: string; resource: string }[]
  events: { id: string; event_type: string; properties: string; deliveries: number | string; processed_at: unknown }[]
  counts: { span_ms: number | string; total: number | string; processed: number | string }[]
}

const queries = {
  products: 'SELECT id, resource FROM products',
  payments: 'SELECT id, order_id, status, idempotency_key FROM payments',
  orders: 'SELECT id, status FROM orders',
  attempts: 'SELECT id, payment_id FROM payment_attempts',
  charges: 'SELECT attempt_id, outcome FROM simulator_charges',
  events: `SELECT e.id, e.event_type, e.properties, e.processed_at, (SELECT count(*) FROM webhook_deliveries d
    WHERE d.account_id = e.account_id AND d.event_id = e.id) AS deliveries FROM events e`,
  counts: 'SELECT span_ms, sum(total) AS total, sum(processed) AS processed FROM event_counts GROUP BY span_ms',
  keys: 'SELECT status, body FROM idempotency_keys',
}

type Tables = Record<keyof typeof queries, unknown[]>

function readFile(home: string): Tables {
  const database = new DatabaseSync(join(home, 'tillwright.db'), { readOnly: true, timeout: 5_000 })
  try {
    database.exec('BEGIN')
    return mapQueries((sql) => database.prepare(sql).all())
  } finally {
    database.close()
  }
}

async function readServer(url: string): Promise<Tables> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY')
    const results = await client.query(Object.values(queries).join('; '))
    const rows = (results as unknown as pg.QueryResult[]).map((result) => result.rows) // one result for each statement
    return mapQueries(() => rows.shift() ?? [])
  } finally {
    await client.end()
  }
}

function mapQueries(ask: (sql: string) => unknown[]): Tables {
  const entries = Object.entries(queries).map(([name, sql]) => [name, ask(sql)])
  return Object.fromEntries(entries) as Tables // the same names
}
