import fc from 'fast-check'
import { pino } from 'pino'
import { describe, expect, test } from 'vitest'
import { soaks } from '../../../.ci/soaks.ts'
import type { DriverOf } from '../src/processors/driver.ts'
import { manualClock } from '../src/runtime/clock.ts'
import { seededRandomness } from '../src/runtime/randomness.ts'
import { newInstrument } from '../test/pay-with-card.ts'
import { newFlow } from '../test/payments/new-flow.ts'
import { sharedPlatform, testableEngines } from '../test/test-platform.ts'
import { findDoubleCharges } from './find-double-charges.ts'
import { batches, PROCESSORS } from './payment-plan.ts'
import { type ModelShop, runBatch } from './run-batch.ts'

/** How many payments are made on each engine at least; the soak makes 100,000 of them. */
const PAYMENTS = { sqlite: soaks ? 80_000 : 600, postgres: soaks ? 20_000 : 200 }
const BATCH = 200
/** The same run each time; fast-check prints it with what it finds. */
const SEED = Number(process.env['SEED'] ?? 20_301)

describe.each(testableEngines())('on %s', (engine) => {
  const platform = sharedPlatform({ engine })

  /** A shop whose clock is its own, so that the platform's workers sleep. No network limits the retries of the card. */
  async function openModelShop(): Promise<ModelShop> {
    const { services, local, clock } = platform()
    const flows = []
    for (let retries = 0; retries < PROCESSORS; retries++) {
      flows.push(await newFlow(platform(), PROCESSORS - 1, { maxFallbackRetries: retries }))
    }
    const { id: paymentInstrumentId } = await newInstrument(platform(), { number: '6011111111111117' })
    const own = {
      clock: manualClock(clock.now() + 1_000),
      randomness: seededRandomness(`double charge on ${engine}`),
      log: pino({ enabled: false }),
    }
    return { services: { ...services, ...own }, local, paymentInstrumentId, flows, planned: 0 }
  }

  test(
    `no card is charged twice over ${PAYMENTS[engine]} payments with faults at every step`,
    { timeout: 3_600_000 },
    async () => {
      const shop = await openModelShop()
      let taken = 0
      let retried = 0
      await fc.assert(
        fc.asyncProperty(batches(BATCH), async (batch) => {
          const ran = await runBatch(batch, shop)
          expect(await findDoubleCharges(ran, shop)).toEqual([])
          taken += ran.bank.taken.length
          retried += ran.bank.sent.length
        }),
        { seed: SEED, numRuns: Math.ceil((2.2 * PAYMENTS[engine]) / BATCH), endOnFailure: false },
      )
      process.stdout.write(`${engine}: ${shop.planned} payments, ${retried} attempts, ${taken} times money\n`)
      expect(shop.planned).toBeGreaterThanOrEqual(PAYMENTS[engine])
      expect(taken).toBeGreaterThan(PAYMENTS[engine] / 10)
    },
  )

  test('the model notices a platform that asks another processor although the outcome is unknown', async () => {
    const shop = await openModelShop()
    const found = await fc.check(
      fc.asyncProperty(batches(BATCH), async (batch) => {
        expect(await findDoubleCharges(await runBatch(batch, shop, takesAllForRefused), shop)).toEqual([])
      }),
      { seed: SEED, numRuns: 20, endOnFailure: true },
    )
    expect(found.failed).toBe(true)
  })
})

/** Processors of which every broken connection is taken for a refusal. */
function takesAllForRefused(driverOf: DriverOf): DriverOf {
  return async (processor) => {
    const driver = await driverOf(processor)
    const refused = { outcome: 'refused_before_acceptance', reason: '' } as const
    return { ...driver, authorise: (authorisation) => driver.authorise(authorisation).catch(() => refused) }
  }
}
