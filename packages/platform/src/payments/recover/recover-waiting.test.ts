import { bankSimulator } from '@tillwright/bank-simulator'
import { contract, type Payment } from '@tillwright/contract'
import { describe, expect, test } from 'vitest'
import { newInstrument } from '../../../test/pay-with-card.ts'
import { newFlow } from '../../../test/payments/new-flow.ts'
import { type PayingThrough, payThrough } from '../../../test/payments/pay-through.ts'
import { sharedPlatform, testableEngines } from '../../../test/test-platform.ts'
import { openDrivers } from '../../processors/open-drivers.ts'
import { processorRegistry } from '../../processors/registry.ts'
import { simulatorOf } from '../../processors/simulator.ts'
import type { Database } from '../../storage/database.ts'

/** A provider of buyer authentication that must not be called here. */
const provider = { authenticate: () => Promise.reject(new Error('Nobody is asked.')), methodUrl: async () => null }
const threedsProviders = async () => provider

/** A database that is gone after so many transactions. */
function dyingAfter(transactions: number, db: Database): Database {
  let left = transactions
  return {
    ...db,
    write: (transaction) => (left-- > 0 ? db.write(transaction) : Promise.reject(new Error('The process has died.'))),
  }
}

describe.each(testableEngines())('on %s', (engine) => {
  const platform = sharedPlatform({ engine })
  const read = (paymentId: string) => platform().call(contract.payments.get, { params: { paymentId } })

  test.for([
    { name: 'a flow with 3-D Secure and limits', change: { threeDsEnabled: true }, maxAttemptsPerCard: 5 },
    { name: 'a flow whose limit asks for 3-D Secure', change: {}, maxAttemptsPerCard: 1 },
  ])(
    'a payment that waits for its buyer in $name, and was not answered by a crash, is answered to the next who asks',
    async ({ change, maxAttemptsPerCard }) => {
      const { clock, services } = platform()
      const abuseDetectionConfig = {
        enabled: true,
        windowSeconds: 600,
        maxAttemptsPerIp: 10,
        maxAttemptsPerCard,
        maxDistinctCardsPerCustomer: 3,
        action: 'challenge_3ds' as const,
        blockSeconds: 3_600,
      }
      const { flow } = await newFlow(platform(), 0, { ...change, abuseDetectionConfig })
      const { id } = await newInstrument(platform())
      const order = { paymentFlowId: flow.id }
      const paying: PayingThrough = {
        ...platform(),
        driverOf: openDrivers(services, processorRegistry('local', [simulatorOf(bankSimulator)])),
        threedsProviders,
        paymentInstrumentId: id,
        key: `waits-${maxAttemptsPerCard}`,
        order,
      }
      if (maxAttemptsPerCard === 1) await payThrough({ ...paying, key: 'first-with-the-card' })
      // The transaction that a limit refuses is the first of three.
      const transactions = maxAttemptsPerCard === 1 ? 2 : 1
      const dead = { ...services, db: dyingAfter(transactions, services.db) }
      await expect(payThrough({ ...paying, services: dead })).rejects.toThrow('The process has died.')
      await expect(payThrough(paying)).rejects.toThrow('still in progress')

      clock.advance(60_001)
      const answer = await expect
        .poll(async () => (clock.advance(5_001), payThrough(paying).catch(() => null)), { timeout: 60_000 })
        .not.toBeNull()
        .then(() => payThrough(paying))

      const payment: Payment = contract.payments.create.response.parse(JSON.parse(answer.body))
      expect(answer.status).toBe(contract.payments.create.status)
      expect(payment).toMatchObject({ status: 'requires_action', nextAction: { type: 'threeds_auth' } })
      expect(await read(payment.id)).toEqual(payment)
      const waiting = await services.db.read('SELECT id FROM payments WHERE payment_flow_id = ? AND status = ?', [
        flow.id,
        'requires_action',
      ])
      expect(waiting).toEqual([{ id: payment.id }])
    },
  )
})
