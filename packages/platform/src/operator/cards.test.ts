import { describe, expect, onTestFinished, test } from 'vitest'
import { newInstrument, pay, requestPayment } from '../../test/pay-with-card.ts'
import { startTestPlatform, testableEngines, type TestPlatform } from '../../test/test-platform.ts'
import { readConfig } from '../config.ts'
import { readCard } from '../vault/cards.ts'
import { openOperator } from './operator.ts'
import type { PurgeReceipt, WantedPurge } from './cards.ts'

const DAY_MS = 24 * 60 * 60 * 1_000

describe.each(testableEngines())('on %s', (engine) => {
  test('a purged number cannot be opened, its ciphertext is gone, and the books keep brand and last digits', async () => {
    const platform = await started(engine)
    const instrument = await newInstrument(platform)
    const payment = await pay(platform, instrument.id)
    const [before] = await cards(platform)
    expect(await purge(platform, { instrument: instrument.id, dryRun: true })).toMatchObject({
      dryRun: true,
      purged: [{}],
    })
    expect(await cards(platform)).toEqual([before])

    const receipt = await purge(platform, { instrument: instrument.id })
    expect(receipt.purged).toEqual([
      {
        cardId: before?.['id'],
        brand: 'visa',
        last4: '4242',
        removedSha256: expect.stringMatching(/^[0-9a-f]{64}$/),
        isGone: true,
      },
    ])
    expect(receipt.remains.join(' ')).toMatch(/Backups.*master key.*write-ahead log/)
    const [after] = await cards(platform)
    expect(after).toMatchObject({ sealed_key: '', sealed_card: '', brand: 'visa', last4: '4242' })
    const { accountId } = platform.local
    await expect(readCard(String(before?.['id']), accountId, platform.services)).rejects.toThrow('was deleted')
    const tables = JSON.stringify(await platform.services.db.read('SELECT * FROM cards', []))
    for (const gone of ['sealed_key', 'sealed_card', 'fingerprint']) expect(tables).not.toContain(before?.[gone])
    expect((await requestPayment(platform, { paymentInstrumentId: instrument.id })).status).toBeGreaterThanOrEqual(400)
    const books = await platform.services.db.read('SELECT status FROM payments WHERE id = ?', [payment.id])
    expect(books).toEqual([{ status: 'succeeded' }])
    expect((await purge(platform, { instrument: instrument.id })).purged).toEqual([])
  })

  test('cards are unused when no payment was made with them for so long, and another account keeps its own', async () => {
    const platform = await started(engine)
    const [old, busy] = [await newInstrument(platform), await newInstrument(platform)]
    platform.clock.advance(400 * DAY_MS)
    await pay(platform, busy.id)
    const receipt = await purge(platform, { unusedDays: 365 })
    expect(receipt.purged).toHaveLength(1)
    expect((await pay(platform, busy.id)).status).toBe('succeeded')
    expect((await requestPayment(platform, { paymentInstrumentId: old.id })).status).toBeGreaterThanOrEqual(400)
    const { accountId } = await platform.addAccount()
    expect((await purge(platform, { account: accountId, everything: true })).purged).toEqual([])
  })

  test('it says which cards, once', async () => {
    const platform = await started(engine)
    for (const wanted of [{}, { card: 'a', everything: true }] as const)
      await expect(purge(platform, wanted)).rejects.toThrow('--unused-days')
  })
})

async function started(engine: 'sqlite' | 'postgres'): Promise<TestPlatform> {
  const platform = await startTestPlatform({ engine })
  onTestFinished(() => platform.remove())
  return platform
}

async function cards({ services: { db } }: TestPlatform) {
  return db.read('SELECT * FROM cards ORDER BY id', [])
}

async function purge(platform: TestPlatform, wanted: WantedPurge): Promise<PurgeReceipt> {
  const config = readConfig({ ...platform.settings, TILLWRIGHT_SEED: undefined })
  const operator = await openOperator(config, [], platform.clock)
  try {
    return await operator.cards.purge({ account: platform.local.accountId, ...wanted })
  } finally {
    await operator.close()
  }
}
