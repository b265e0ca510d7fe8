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
  /** In minor units. */
  amount: number
  captured_amount: number
  refunded_amount: number
}

/** Entry of the simulated processor's own ledger for an attempt, in minor units. */
export interface ChargeRecord {
  attempt_id: string
  outcome: string
  captured: number
  refunded: number
}

/** Something a processor was asked for, and when it had its outcome. Unix milliseconds. */
export interface TimedRecord {
  id: string
  payment_id: string
  created_at: number
  finished_at: number | null
}

/** A payment's ledger: the sum of all its entries, and of those that the processor holds. */
export interface LedgerRecord {
  payment_id: string
  total: number
  held: number
}

/** An event's row, its properties read. `deliveries` counts those to the shop's endpoint. */
export interface EventRecord {
  id: string
  event_type: string
  properties: Readonly<Record<string, unknown>>
  deliveries: number
  processed: boolean
}

/** Counters of all events together in one span of time. */
export interface CountRecord {
  spanMs: number
  total: number
  processed: number
}

/** Contents of a place's database, read past the platform. */
export interface Records {
  products: { id: string; name: string }[]
  payments: PaymentRecord[]
  orders: { id: string; status: string }[]
  attempts: TimedRecord[]
  /** Captures, refunds and voids. */
  followUps: TimedRecord[]
  charges: ChargeRecord[]
  ledgers: LedgerRecord[]
  events: EventRecord[]
  counts: CountRecord[]
  /** The answers stored for idempotency keys; without a status while a request is at work. */
  keys: { status: number | null; body: string | null }[]
}

/** Reads them, in one transaction. */
export async function readRecords(place: Place): Promise<Records> {
  const tables = place.databaseUrl === null ? readFile(place.home) : await readServer(place.databaseUrl)
  // The columns of `queries`.
  const { products, events, counts, payments, attempts, followUps, charges, ledgers, ...others } = tables as Omit<
    Records,
    keyof Raw
  > &
    Raw
  return {
    ...others,
    products: products.map(({ id, resource }) => ({ id, name: JSON.parse(resource).name })),
    events: events.map((event) => ({
      ...event,
      properties: JSON.parse(event.properties),
      deliveries: Number(event.deliveries),
      processed: event.processed_at !== null,
    })),
    payments: payments.map((payment) => ({
      ...payment,
      amount: Number(payment.amount),
      captured_amount: Number(payment.captured_amount),
      refunded_amount: Number(payment.refunded_amount),
    })),
    attempts: attempts.map(timed),
    followUps: followUps.map(timed),
    charges: charges.map((charge) => ({
      ...charge,
      captured: Number(charge.captured),
      refunded: Number(charge.refunded),
    })),
    ledgers: ledgers.map((ledger) => ({ ...ledger, total: Number(ledger.total), held: Number(ledger.held) })),
    counts: counts.map(({ span_ms: spanMs, total, processed }) => ({
      spanMs: Number(spanMs),
      total: Number(total),
      processed: Number(processed),
    })),
  }
}

function timed({ created_at: from, finished_at: to, ...record }: Raw['attempts'][number]): TimedRecord {
  return { ...record, created_at: Number(from), finished_at: to === null ? null : Number(to) }
}

/** PostgreSQL gives large integers as text. */
type AsText<Record, Name extends keyof Record> = Omit<Record, Name> & {
  [name in Name]: string | Record[name]
}

interface Raw {
  payments: AsText<PaymentRecord, 'amount' | 'captured_amount' | 'refunded_amount'>[]
  attempts: AsText<TimedRecord, 'created_at' | 'finished_at'>[]
  followUps: Raw['attempts']
  charges: AsText<ChargeRecord, 'captured' | 'refunded'>[]
  ledgers: AsText<LedgerRecord, 'total' | 'held'>[]
  products: { id: string; resource: string }[]
  events: { id: string; event_type: string; properties: string; deliveries: number | string; processed_at: unknown }[]
  counts: { span_ms: number | string; total: number | string; processed: number | string }[]
}

const queries = {
  products: 'SELECT id, resource FROM products',
  payments: 'SELECT id, order_id, status, idempotency_key, amount, captured_amount, refunded_amount FROM payments',
  orders: 'SELECT id, status FROM orders',
  attempts: 'SELECT id, payment_id, created_at, finished_at FROM payment_attempts',
  followUps: 'SELECT id, payment_id, created_at, finished_at FROM payment_follow_ups',
  charges: 'SELECT attempt_id, outcome, captured, refunded FROM simulator_charges',
  ledgers: `SELECT payment_id, sum(amount) AS total,
    sum(CASE WHEN ledger_account = 'processor' THEN amount ELSE 0 END) AS held FROM ledger_entries GROUP BY payment_id`,
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
    const rows = new Map<string, unknown[]>()
    for (const sql of Object.values(queries)) rows.set(sql, (await client.query(sql)).rows)
    return mapQueries((sql) => rows.get(sql) ?? [])
  } finally {
    await client.end()
  }
}

function mapQueries(ask: (sql: string) => unknown[]): Tables {
  const entries = Object.entries(queries).map(([name, sql]) => [name, ask(sql)])
  return Object.fromEntries(entries) as Tables // the same names
}
