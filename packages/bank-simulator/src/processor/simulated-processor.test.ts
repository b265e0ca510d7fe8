import { describe, expect, test } from 'vitest'
import { declineKinds } from '../../../platform/src/processors/authorisation.ts'
import { withFault } from '../../../platform/src/processors/driver.ts'
import { simulatorDriver } from '../../../platform/src/processors/simulator.ts'
import { driverConformance } from '../../../platform/test/processors/driver.conformance.ts'
import { factsOf, newAuthorisation } from '../../../platform/test/processors/new-authorisation.ts'
import { sharedPlatform, ruleEngines } from '../../../platform/test/test-platform.ts'
import { responseCodes } from './outcomes.ts'
import { DEBIT_MS, decideOrder, findOrder } from './orders.ts'
import { simulatedProcessor } from './simulated-processor.ts'

/** The buyer's bank says no. */
const refuseDebit = `UPDATE simulator_orders SET status = 'refused' WHERE attempt_id = ?`

describe.each(ruleEngines())('on %s', (engine) => {
  const platform = sharedPlatform({ engine })
  const open = (processorId = 'processor_1') => simulatedProcessor({ ...platform().services, processorId })

  driverConformance(`simulated processors on ${engine}`, simulatorDriver.capabilities, async () => {
    const { db, clock } = platform().services
    const driver = open()
    return {
      driver,
      async books() {
        const [row] = await db.read(
          `SELECT sum(CASE WHEN authorised > 0 THEN 1 ELSE 0 END) AS accepted, sum(captured) AS captured,
            sum(refunded) AS refunded FROM simulator_charges`,
          [],
        )
        const sum = (column: string) => Number(row?.[column] ?? 0)
        return { accepted: sum('accepted'), captured: sum('captured'), refunded: sum('refunded') }
      },
      async decided({ attemptId, method }, as) {
        const order = await findOrder(attemptId, db)
        if (order === null) throw new Error(`Nobody has begun ${attemptId}.`)
        if (method.type !== 'debit') {
          await db.write([decideOrder(order, as === 'paid' ? 'pay' : 'cancel', clock.now())])
        } else if (as === 'paid') platform().clock.advance(DEBIT_MS)
        else await db.write([{ sql: refuseDebit, params: [attemptId] }])
      },
      disputed: async (attempt) => `simulated_dispute_${attempt.attemptId}`,
      losesRequests: () => withFault(driver, 'processor=timeout_before', clock),
      losesAnswers: () => withFault(driver, 'processor=timeout_after', clock),
    }
  })

  test('what one simulated processor has on its books, another does not know', async () => {
    const attempt = newAuthorisation()
    const outcome = await open().authorise(attempt)
    const reference = 'reference' in outcome ? (outcome.reference ?? '') : ''
    expect(await open('processor_2').refund({ id: 're_1', reference, amount: 1 })).toEqual({
      outcome: 'refused',
      reason: 'unknown_reference',
    })
    await expect(open('processor_2').query(factsOf(attempt))).rejects.toThrow('another simulated processor')
  })
})

describe('an amount', () => {
  const platform = sharedPlatform()
  const authorise = (amount: number) =>
    simulatedProcessor({ ...platform().services, processorId: 'processor_1' }).authorise(newAuthorisation({ amount }))

  test.for([...responseCodes])('of 200,000 and the response code %i is declined as %s', async ([code, declineCode]) => {
    expect(await authorise(200_000 + code)).toMatchObject({
      outcome: 'declined',
      declineCode,
      kind: declineKinds[declineCode],
    })
  })

  test('of 200,065 needs 3-D Secure, and any other amount is charged', async () => {
    expect(await authorise(200_065)).toMatchObject({ outcome: 'threeds_required' })
    for (const amount of [200_000, 200_001, 199_999, 5]) {
      expect(await authorise(amount)).toMatchObject({ outcome: 'succeeded' })
    }
  })
})
