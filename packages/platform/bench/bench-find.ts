import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { contract } from '@tillwright/contract'
import { createDatabase } from '../../../.ci/postgres-database.ts'
import type { LocalFile } from '../src/local/start-local.ts'
import { filledCustomer, filledId, filledLast4, fillPayments } from '../test/fill-payments.ts'
import { ask } from './ask.ts'
import { type BenchPlace, execute } from './execute.ts'
import { type Started, startProcess } from './start-process.ts'

const P99_MS = 20
const CALLS = 200
/** How many payments there are; a fifth as many customers. */
const SIZES = [1_000, Number(process.env['BENCH_ROWS'] ?? 1_000_000)]

/** Pages of filtered and searched payments, orders and customers among a thousand and a million, on both engines. */
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
      query: (call) => ({ customerId: filledCustomer((call * 37) % customers).id }),
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
      query: (call) => ({ q: filledCustomer((call * 37) % customers).email }),
    },
    'payments by last four digits': {
      path: payments,
      query: (call) => ({ q: filledLast4(call) }),
    },
    'payments by amount': { path: payments, query: (call) => ({ q: (100 + ((call * 53) % 1_000)).toFixed(2) }) },
    'payments by an order’s id': { path: payments, query: (call) => ({ q: `order_${filledId((call * 37) % rows)}` }) },
    'orders of a customer': {
      path: orders,
      query: (call) => ({ customerId: filledCustomer((call * 37) % customers).id }),
    },
    'customers by a word that all have': { path: buyers, query: () => ({ q: 'example' }) },
    'customers by the beginning of a name': { path: buyers, query: (call) => ({ q: `nam${call % 10}` }) },
    'customers by two words': { path: buyers, query: (call) => ({ q: `name${call % 100} buyer${call % 10}` }) },
  }
}

const START_MS = Date.UTC(2026, 0, 1)

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

async function fill(rows: number, accountId: string, place: BenchPlace): Promise<void> {
  const isPostgres = place.databaseUrl !== undefined
  const run = (sql: string) => execute(place, [sql])
  await fillPayments({ rows, accountId, isPostgres, startMs: START_MS, run })
  await run(isPostgres ? 'VACUUM ANALYZE' : 'PRAGMA wal_checkpoint(TRUNCATE)')
}
