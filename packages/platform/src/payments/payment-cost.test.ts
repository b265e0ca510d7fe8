import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { allocatedBytes } from '../../test/allocated-bytes.ts'
import { startReceiver } from '../../test/events/start-receiver.ts'
import { newInstrument, requestPayment } from '../../test/pay-with-card.ts'
import { sharedPlatform, testableEngines, type TestPlatform } from '../../test/test-platform.ts'

const PAYMENTS = 10

/** Rows left by each payment once its webhook has been delivered. */
const ROWS = {
  orders: 1,
  payments: 1,
  payment_attempts: 1,
  payment_follow_ups: 1, // the capture
  ledger_entries: 2,
  events: 5,
  webhook_deliveries: 1,
  audit_entries: 2,
  idempotency_keys: 1,
  simulator_charges: 1,
}

/**
 * Upper bounds for a single payment. `logBytes`: of SQLite's log, each transaction committed alone. `allocatedBytes`:
 * twice what it takes, because code that is new to the engine takes more.
 */
const BOUNDS = {
  sqlite: { transactions: 5, statements: 39, reads: 9, paramBytes: 10_600, logBytes: 300_000, allocatedBytes: 650_000 },
  postgres: { transactions: 5, statements: 40, reads: 9, paramBytes: 10_600, logBytes: 0, allocatedBytes: 1_100_000 },
}

describe.each(testableEngines())('on %s', (engine) => {
  const platform = sharedPlatform({ engine })

  test('what a payment asks of the database, the disk and memory stays within its bounds', async () => {
    const pay = await payer(platform())
    for (let warm = 0; warm < 3; warm++) await pay()
    await platform().services.db.emptyLog?.()
    const taken = [await takenBy(platform())]
    const rowsBefore = await rowsIn(platform())
    const allocated = await allocatedBytes(async () => {
      while (taken.length <= PAYMENTS) {
        await pay()
        taken.push(await takenBy(platform()))
      }
    })
    expect(differences(await rowsIn(platform()), rowsBefore)).toEqual(timesPayments(ROWS))
    const ofEach = taken.slice(1).map((after, at) => differences(after, taken[at] ?? after))
    // Heartbeats and other workers' looks only add to what a payment takes: the least of several is its own.
    const { allocatedBytes: memory, ...bounds } = BOUNDS[engine]
    for (const [what, atMost] of Object.entries(bounds)) {
      expect(Math.min(...ofEach.map((each) => each[what] ?? 0)), what).toBeLessThanOrEqual(atMost)
    }
    expect(allocated / PAYMENTS).toBeLessThanOrEqual(memory)
  })
})

/** Pays with a card, and waits until the webhook is delivered and that is on record. */
async function payer(platform: TestPlatform): Promise<() => Promise<void>> {
  const receiver = await startReceiver()
  const { db } = platform.services
  const { id: paymentInstrumentId } = await newInstrument(platform)
  const sql = 'UPDATE webhook_endpoints SET event_types = ?, url = ?'
  await db.write([{ sql, params: ['["s_order_paid"]', receiver.url] }])
  let made = 0
  return async () => {
    made += 1
    const headers = { 'Idempotency-Key': `payment-${made}` }
    const { status } = await requestPayment(platform, { paymentInstrumentId }, { headers })
    expect(status).toBe(201)
    await receiver.until(made)
    const [id = ''] = receiver.ids().slice(-1)
    const event = async () => (await db.read('SELECT processed_at FROM events WHERE id = ?', [id]))[0]
    await expect.poll(event, { timeout: 60_000, interval: 2 }).toEqual({ processed_at: expect.any(Number) })
  }
}

/** Totals sent to the database, and to its log, so far. */
async function takenBy({ sent, services, folder }: TestPlatform): Promise<Record<string, number>> {
  if (services.db.engine === 'postgres') return { ...sent, logBytes: 0 }
  return { ...sent, logBytes: (await stat(join(folder, 'tillwright.db-wal'))).size }
}

async function rowsIn({ services: { db } }: TestPlatform): Promise<Record<string, number>> {
  const counts = Object.keys(ROWS).map(async (table) => {
    const [row] = await db.read(`SELECT count(*) AS count FROM ${table}`, [])
    return [table, Number(row?.['count'])] as const
  })
  return Object.fromEntries(await Promise.all(counts))
}

function differences(after: Record<string, number>, before: Record<string, number>): Record<string, number> {
  return Object.fromEntries(Object.entries(after).map(([key, value]) => [key, value - (before[key] ?? 0)]))
}

function timesPayments(rows: Record<string, number>): Record<string, number> {
  return Object.fromEntries(Object.entries(rows).map(([table, each]) => [table, each * PAYMENTS]))
}
