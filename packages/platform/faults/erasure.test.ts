import { readFileSync } from 'node:fs'
import { setImmediate as turn } from 'node:timers/promises'
import { contract, type CustomerErasure } from '@tillwright/contract'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { firstOf, inSoak, soaks } from '../../../.ci/soaks.ts'
import { personalTables } from '../src/privacy/index.ts'
import { eraseNextPage, type PendingErasure } from '../src/privacy/erasures.ts'
import { customerErasuresTable } from '../src/privacy/tables.ts'
import { seededRandomness } from '../src/runtime/randomness.ts'
import { type Database, openDatabaseBeside, rowReader } from '../src/storage/index.ts'
import { newInstrument } from '../test/pay-with-card.ts'
import { sharedPlatform } from '../test/test-platform.ts'
import type { DeathAt } from './die-at-statement.ts'
import { newPayment, send } from './load.ts'
import { type Death, mortalDatabase } from './mortal-database.ts'
import { engines, newPlace } from './new-place.ts'
import { openShop } from './open-shop.ts'
import type { Place } from './place.ts'
import { type PlatformProcess, startProcess } from './platform-process.ts'
import { get, post } from './post.ts'

const WORD = 'Quillonia'

/** How much there is of a customer, besides what a purchase leaves. */
interface Past {
  orders: number
  events: number
  /** Entries of the audit log about one of the orders. */
  entries: number
}

/** Far more belongs to one order than a page has room for. */
const PAST: Past = { orders: 150, events: 120, entries: 900 }

interface Owner {
  accountId: string
  customerId: string
}

const BATCH = 2_000

/** Adds rows that name a person to a customer's past, in bulk and past every rule but those of the tables. */
async function addPast(db: Database, { accountId, customerId }: Owner, past: Past): Promise<void> {
  const idsOf = (prefix: string, count: number) =>
    Array.from({ length: count }, (_, at) => [`${prefix}_${customerId.slice(-10)}${String(at).padStart(6, '0')}`])
  const fill = async (sql: string, ids: string[][]) => {
    for (let at = 0; at < ids.length; at += BATCH) {
      const { outcome } = await db.write([{ sql, params: [JSON.stringify(ids.slice(at, at + BATCH))] }])
      expect(outcome).toBe('committed')
    }
  }
  const [orders, id] = [idsOf('order', past.orders), 'item.value ->> 0']
  const pricing = JSON.stringify({ hooks: [] })
  await fill(
    `INSERT INTO orders (account_id, id, store_id, customer_id, status, currency, amount, pricing, lines, metadata, buyer, created_at)
      SELECT '${accountId}', ${id}, 'store_1', '${customerId}', 'paid', 'USD', 500, '${pricing}', '[]', '{"to":"${WORD}"}',
        '{"firstName":"${WORD}"}', 0 FROM {items}`,
    orders,
  )
  await fill(
    `INSERT INTO events (account_id, id, customer_id, event_type, properties, draft, created_at)
      SELECT '${accountId}', ${id}, '${customerId}', 'noted', '{"properties":{"name":"${WORD}"}}', 0, 0 FROM {items}`,
    idsOf('evt', past.events),
  )
  await fill(
    `INSERT INTO audit_entries (account_id, id, actor_kind, actor_id, operation, resource_type, resource_id, changes, changes_mac,
        mac, created_at)
      SELECT '${accountId}', ${id}, 'key', 'key_1', 'orders.update', 'order', '${orders[3]?.[0]}', '{"after":"${WORD}"}', '', '', 0
      FROM {items}`,
    idsOf('aud', past.entries),
  )
}

/** Counts the customer's rows that still contain the word, by table. */
async function named(db: Database, { customerId }: Owner): Promise<Record<string, number>> {
  const texts = { orders: 'metadata || buyer', events: 'properties', audit_entries: "COALESCE(changes, '')" }
  const counts = Object.entries(texts).map(async ([table, text]) => {
    const sql = `SELECT count(*) AS found FROM ${table} WHERE id LIKE ? AND ${text} LIKE ?`
    const [row] = await db.read(sql, [`%${customerId.slice(-10)}%`, `%${WORD}%`])
    return [table, Number(row?.['found'])] as const
  })
  return Object.fromEntries(await Promise.all(counts))
}

const nothing = { orders: 0, events: 0, audit_entries: 0 }

/** The entries of the audit log that an erasure has erased, as it names them itself. */
async function erasedEntries(db: Database, { customerId }: Owner): Promise<string[]> {
  const sql = "SELECT changes FROM audit_entries WHERE operation = 'customers.erase' AND resource_id = ? ORDER BY id"
  return (await db.read(sql, [customerId])).flatMap(({ changes }) => {
    const { after = {} }: { after?: { entries?: string[] } } = JSON.parse(String(changes))
    return after.entries ?? []
  })
}

/** Nothing is left of the person, and each entry of the audit log was erased once. */
async function expectErasedOnce(db: Database, owner: Owner, erasure: CustomerErasure): Promise<void> {
  expect(await named(db, owner)).toEqual(nothing)
  const entries = await erasedEntries(db, owner)
  expect(entries.length).toBe(new Set(entries).size)
  expect(entries.length).toBe(countsIn(erasure)['audit_entries']?.[1])
}

const countsIn = ({ receipt }: Pick<CustomerErasure, 'receipt'>) =>
  Object.fromEntries((receipt ?? []).map(({ data, found, erased }) => [data, [found, erased]]))

describe.each(engines)('on %s', (engine) => {
  const platform = sharedPlatform({ engine })
  const readPending = rowReader(customerErasuresTable)

  /** Waits until its webhooks were tried, which leaves what the receiver answered. */
  async function delivered({ accountId, customerId }: Owner): Promise<void> {
    const sql = `SELECT count(*) AS undelivered FROM webhook_deliveries d JOIN events e ON e.account_id = d.account_id AND e.id = d.event_id
      WHERE e.account_id = ? AND e.customer_id = ? AND d.last_response IS NULL`
    const undelivered = async () =>
      Number((await platform().services.db.read(sql, [accountId, customerId]))[0]?.['undelivered'])
    await expect.poll(undelivered, { timeout: 60_000 }).toBe(0)
  }

  async function begun(): Promise<Owner & { erasureId: string }> {
    const { services, local, call } = platform()
    const { customerId } = await newInstrument(platform(), {
      customerData: { email: `${crypto.randomUUID()}@example.com` },
    })
    const owner = { accountId: local.accountId, customerId }
    await delivered(owner)
    await addPast(services.db, owner, PAST)
    const { id } = await call(contract.customers.erase, { params: { customerId }, body: {} })
    return { ...owner, erasureId: id ?? '' }
  }

  async function pendingOf(erasureId: string): Promise<PendingErasure | null> {
    const sql = "SELECT * FROM customer_erasures WHERE id = ? AND status = 'pending'"
    const [pending] = readPending(await platform().services.db.read(sql, [erasureId]))
    return pending ?? null
  }

  /** A process that erases until it is over or dies. */
  async function work(erasureId: string, db: Database): Promise<void> {
    const tables = personalTables({ status: 409, body: '{}' })
    for (let pending = await pendingOf(erasureId); pending !== null;) {
      pending = await eraseNextPage(pending, { ...platform().services, db, tables, finish: () => [] })
    }
  }

  async function receiptOf({ erasureId }: { erasureId: string }) {
    return platform().call(contract.erasures.get, { params: { erasureId } })
  }

  test('processes and databases that die at every step leave an erasure to the next, and the receipt is that of one that nothing disturbed', async () => {
    const { services } = platform()
    const undisturbed = await begun()
    const transactions: number[] = []
    const reads: number[] = []
    const counting: Database = {
      ...services.db,
      read: async (...asked) => {
        const rows = await services.db.read(...asked)
        reads.push(rows.length)
        return rows
      },
      write: (transaction) => (transactions.push(transaction.length), services.db.write(transaction)),
    }
    await work(undisturbed.erasureId, counting)
    const receipt = await receiptOf(undisturbed)
    expect(countsIn(receipt)).toMatchObject({ orders: [150, 150], events: [expect.any(Number), 120] })
    expect(Math.max(...transactions)).toBeLessThan(850)
    expect(Math.max(...reads)).toBeLessThanOrEqual(501)

    const disturbed = await begun()
    let deaths = 0
    for (; (await pendingOf(disturbed.erasureId)) !== null; deaths++) {
      const death: Death = { transaction: 1 + (deaths % 2), when: deaths % 4 < 2 ? 'before' : 'after' }
      await work(disturbed.erasureId, mortalDatabase(services.db, death)).catch(({ message }: Error) =>
        expect(message).toBe('The process has died.'),
      )
    }
    expect(deaths).toBeGreaterThan(transactions.length / 2)
    const after = await receiptOf(disturbed)
    expect(countsIn(after)).toEqual(countsIn(receipt))
    for (const owner of [undisturbed, disturbed]) await expectErasedOnce(services.db, owner, receipt)

    const shared = await begun()
    const workers = Array.from({ length: 2 }, async () => {
      while ((await pendingOf(shared.erasureId)) !== null) {
        await work(shared.erasureId, services.db)
        await turn()
      }
    })
    await Promise.all(workers)
    expect(countsIn(await receiptOf(shared))).toEqual(countsIn(receipt))
    await expectErasedOnce(services.db, shared, receipt)
  })
})

const opened = ({ home, databaseUrl }: Place): Promise<Database> =>
  openDatabaseBeside({ folder: home, ...(databaseUrl !== null && { url: databaseUrl }) })

interface Timed {
  ms: number
  ok: boolean
}

/** Pays one payment after the other until it is stopped. */
async function payUntil(url: string, shop: Awaited<ReturnType<typeof openShop>>, ended: AbortSignal): Promise<Timed[]> {
  const randomness = seededRandomness('payments beside an erasure')
  const clients = Array.from({ length: 4 }, async () => {
    const timed: Timed[] = []
    while (!ended.aborted) {
      const begunMs = performance.now()
      const answer = await send(url, shop, newPayment(shop, randomness))
      timed.push({ ms: performance.now() - begunMs, ok: answer?.status === 201 })
    }
    return timed
  })
  return (await Promise.all(clients)).flat()
}

function p99(timed: readonly Timed[]): number {
  const sorted = timed.map(({ ms }) => ms).toSorted((a, b) => a - b)
  return Math.round(sorted[Math.floor(sorted.length * 0.99)] ?? 0)
}

const residentMb = (pid: number) =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1_024

const MANY: Past = { orders: 40_000, events: 30_000, entries: 30_000 }
const LONGEST_MS = 1_000

describe.each(inSoak)('a customer with 100,000 rows', () => {
  test.each(engines)(
    'is exported as a stream and erased in short steps on %s, and payments go on beside it',
    { timeout: 900_000 },
    async (engine) => {
      const { place, shop, db, owner: payer } = await shopWith(engine, { orders: 0, events: 0, entries: 0 })
      const owner = { ...payer, customerId: 'cus_00000000000000000000000001' }
      const customer = `INSERT INTO customers (account_id, id, store_id, email, first_name, last_name, details, created_at)
        VALUES (?, ?, ?, '', '${WORD}', '', '{}', 0)`
      await db.write([{ sql: customer, params: [owner.accountId, owner.customerId, shop.storeId] }])
      await addPast(db, owner, MANY)
      const platform = await startProcess(place)
      const { apiUrl, adminApiKey, pid } = platform.local
      const alone = await payUntil(apiUrl, shop, AbortSignal.timeout(10_000))

      const beforeMb = residentMb(pid)
      let [bytes, mostMb] = [0, 0]
      const headers = { authorization: `Bearer ${adminApiKey}` }
      const exported = await fetch(`${apiUrl}/api/payments/v1/customers/${owner.customerId}/export`, { headers })
      for await (const chunk of exported.body ?? []) {
        bytes += chunk.length
        mostMb = Math.max(mostMb, residentMb(pid))
      }
      expect(bytes).toBeGreaterThan(20_000_000)
      expect(mostMb - beforeMb).toBeLessThan(150)

      const over = new AbortController()
      const begunMs = performance.now()
      const paying = payUntil(apiUrl, shop, over.signal)
      const erasure = await untilErased(platform, await askToErase(platform, owner))
      over.abort()
      const beside = await paying
      console.log(
        `${engine}: export of ${Math.round(bytes / 1e6)} MB took ${Math.round(mostMb - beforeMb)} MB of memory; erased in ${Math.round((performance.now() - begunMs) / 1_000)} s; payments p99 ${p99(alone)} ms alone, ${p99(beside)} ms beside it (${alone.length}, ${beside.length})`,
      )
      expect(beside.filter(({ ok }) => !ok)).toEqual([])
      expect(p99(beside)).toBeLessThan(LONGEST_MS)
      expect(countsIn(erasure)).toMatchObject({ orders: [40_000, 40_000] })
      expect(await named(db, owner)).toEqual(nothing)
    },
  )
})

/** A shop with a customer who has a past. */
async function shopWith(engine: 'sqlite' | 'postgres', past: Past) {
  const place = await newPlace(engine)
  const shop = await openShop(place, null)
  const db = await opened(place)
  onTestFinished(() => db.close())
  const [row] = await db.read('SELECT account_id, customer_id FROM payment_instruments WHERE id = ?', [
    shop.instrumentId,
  ])
  const owner = { accountId: String(row?.['account_id']), customerId: String(row?.['customer_id']) }
  await addPast(db, owner, past)
  return { place, shop, db, owner }
}

async function askToErase({ local }: PlatformProcess, { customerId }: Owner): Promise<string> {
  const path = `/api/payments/v1/customers/${customerId}/erase`
  const answer = await post(local.apiUrl + path, { apiKey: local.adminApiKey, body: '{}' })
  expect(answer?.status).toBe(201)
  return contract.customers.erase.response.parse(JSON.parse(answer?.body ?? '')).id ?? ''
}

async function untilErased({ local }: PlatformProcess, erasureId: string): Promise<CustomerErasure> {
  const read = async () => {
    const answer = await get(`${local.apiUrl}/api/payments/v1/erasures/${erasureId}`, local.adminApiKey)
    return contract.erasures.get.response.parse(JSON.parse(answer?.body ?? ''))
  }
  await vi.waitFor(async () => expect((await read()).status).toBe('succeeded'), { timeout: 120_000, interval: 50 })
  return read()
}

/** Before the first step, between steps, and at the last one. */
const DEATHS = [
  'UPDATE events SET',
  'UPDATE orders SET',
  'UPDATE audit_entries SET',
  'UPDATE cards SET',
  "status = 'succeeded', receipt",
]

// On PostgreSQL the tests above have databases die at every step.
test.each(firstOf(engines))(
  'kill -9 in the middle of an erasure on %s leaves it to the next process, which ends it',
  { timeout: 240_000 },
  async (engine) => {
    const { place, db, owner } = await shopWith(engine, PAST)
    let erasureId = ''
    for (const match of soaks ? DEATHS.toReversed() : DEATHS.slice(0, 1)) {
      const death: DeathAt = { match, nth: 1, thread: engine === 'sqlite' ? 'writer' : 'main' }
      const preload = new URL('./die-at-statement.ts', import.meta.url)
      const mortal = await startProcess(place, { preload, settings: { DIE_AT: JSON.stringify(death) } })
      if (erasureId === '') erasureId = await askToErase(mortal, owner)
      await mortal.ended
      const [row] = await db.read('SELECT status FROM customer_erasures WHERE id = ?', [erasureId])
      expect(row?.['status']).toBe('pending')
    }
    const erasure = await untilErased(await startProcess(place), erasureId)
    expect(countsIn(erasure)).toMatchObject({ orders: [150, 150], events: [expect.any(Number), 120] })
    await expectErasedOnce(db, owner, erasure)
  },
)
