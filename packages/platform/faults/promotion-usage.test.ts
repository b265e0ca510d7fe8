import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { NewPayment, NewProductInput, NewPromotionInput } from '@tillwright/contract'
import pg from 'pg'
import { expect, test, vi } from 'vitest'
import { startMinuteLater } from './a-minute-later.ts'
import { neverCharged } from './never-charged.ts'
import { openShop, type Shop } from './open-shop.ts'
import { engines, newPlace } from './new-place.ts'
import type { Place } from './place.ts'
import { startProcess } from './platform-process.ts'
import { post, type Answer } from './post.ts'

const USAGE_LIMIT = 20
const PAYMENTS = 64
const CODE = 'FIRST-TWENTY'
const VARIANT = 'variant_lamp'

/** The embedded database belongs to one process. */
const processesOn = { sqlite: 1, postgres: 2 } as const

test.each(engines)(
  'a promotion is used once for each order that is paid with it, and never too often, whoever dies meanwhile, on %s',
  { timeout: 120_000 },
  async (engine) => {
    const place = await newPlace(engine)
    const shop = await openShop(place, null)
    const victim = await startProcess(place)
    await openSale(victim.local.apiUrl, shop)
    const survivors = processesOn[engine] === 2 ? [await startProcess(place)] : []
    const apiUrls = [victim, ...survivors].map(({ local }) => local.apiUrl)

    const payments = Array.from({ length: PAYMENTS }, (_, index) =>
      pay(apiUrls[index % apiUrls.length] ?? '', shop, `payment-${index}`),
    )
    await Promise.race(payments.filter((_, index) => index % apiUrls.length === 0))
    await victim.killNine()
    const answers = await Promise.all(payments)
    expect(answers.filter((answer) => answer === null).length).toBeGreaterThan(0) // the kill met payments under way
    expect(answers.filter((answer) => answer !== null && !isPaid(answer) && !isExhausted(answer))).toEqual([])

    const later = await startMinuteLater(place)
    await vi.waitFor(async () => expect(await readUsage(place)).toMatchObject({ underWay: 0 }), {
      timeout: 60_000,
      interval: 50,
    })
    const usage = await readUsage(place)
    expect(usage).toEqual({ underWay: 0, reserved: 0, used: usage.paid, paid: usage.paid })
    expect(usage.paid).toBeLessThanOrEqual(USAGE_LIMIT)
    expect(usage.paid).toBeGreaterThanOrEqual(answers.filter(isPaid).length)

    // Clients without an answer ask again. Uses that were reserved for a payment without a charge are free again.
    const again = await Promise.all(
      answers.map(async (answer, index) => answer ?? (await pay(later.apiUrl, shop, `payment-${index}`))),
    )
    expect(again.filter((each) => !isPaid(each) && !isExhausted(each) && !neverCharged(each))).toEqual([])
    const others = await Promise.all(
      Array.from({ length: USAGE_LIMIT }, (_, index) => pay(later.apiUrl, shop, `another-${index}`)),
    )
    expect(others.filter((each) => !isPaid(each) && !isExhausted(each))).toEqual([])
    expect([...again, ...others].filter(isPaid)).toHaveLength(USAGE_LIMIT)
    expect(await readUsage(place)).toEqual({ underWay: 0, reserved: 0, used: USAGE_LIMIT, paid: USAGE_LIMIT })
  },
)

/** Puts a lamp on sale, and a promotion for the first twenty who buy it with the code. */
async function openSale(apiUrl: string, { apiKey, storeId }: Shop): Promise<void> {
  const prices = [{ currencyOptions: { USD: { amount: 2_000 } } }]
  const product: NewProductInput = { storeId, name: 'Lamp', variants: [{ id: VARIANT, name: 'Only', prices }] }
  const promotion: NewPromotionInput = {
    storeId,
    name: 'Ten per cent',
    code: CODE,
    usageLimit: USAGE_LIMIT,
    actions: [{ type: 'OrderPercentageAdjustment', adjustmentPercentage: 10 }],
  }
  const created = [
    await post(`${apiUrl}/api/public/v1/products/create`, { apiKey, body: JSON.stringify(product) }),
    await post(`${apiUrl}/api/public/v1/promotions/create`, { apiKey, body: JSON.stringify(promotion) }),
  ]
  expect(created.filter((answer) => answer?.status !== 201)).toEqual([])
}

function pay(apiUrl: string, { apiKey, storeId, instrumentId }: Shop, idempotencyKey: string): Promise<Answer | null> {
  const payment: Partial<NewPayment> = {
    storeId,
    paymentInstrumentId: instrumentId,
    currency: 'USD',
    lines: [{ variantId: VARIANT, quantity: 1 }],
    promotionCodes: [CODE],
  }
  return post(`${apiUrl}/api/payments/v1/payments`, { apiKey, body: JSON.stringify(payment), idempotencyKey })
}

/** Whether a payment has succeeded, with a tenth off. */
function isPaid(answer: Answer | null): boolean {
  if (answer?.status !== 201) return false
  const { status, amount } = JSON.parse(answer.body)
  return status === 'succeeded' && amount === 1_800
}

/** Whether a payment was refused because nothing is left. */
function isExhausted(answer: Answer | null): boolean {
  return answer?.status === 409 && JSON.parse(answer.body).error.code === 'promotion_exhausted'
}

/** Record of the only promotion in the database: its counters, and how many orders are paid with it. */
interface UsageRecord {
  used: number
  reserved: number
  paid: number
  /** Payments without an outcome yet. */
  underWay: number
}

async function readUsage(place: Place): Promise<UsageRecord> {
  const row = place.databaseUrl === null ? readFile(place.home) : await readServer(place.databaseUrl)
  const { used, reserved, paid, under_way: underWay } = row
  return { used: Number(used), reserved: Number(reserved), paid: Number(paid), underWay: Number(underWay) }
}

const selectUsage = `SELECT p.usage_count AS used, p.usage_reserved AS reserved,
    (SELECT count(*) FROM orders o WHERE o.status = 'paid' AND o.pricing LIKE '%"promotionId":"' || p.id || '"%') AS paid,
    (SELECT count(*) FROM payments WHERE status = 'processing') AS under_way
  FROM promotions p`

function readFile(home: string): Record<string, unknown> {
  const database = new DatabaseSync(join(home, 'tillwright.db'), { readOnly: true, timeout: 5_000 })
  try {
    return database.prepare(selectUsage).get() ?? {}
  } finally {
    database.close()
  }
}

async function readServer(url: string): Promise<Record<string, unknown>> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query(selectUsage)).rows[0]
  } finally {
    await client.end()
  }
}
