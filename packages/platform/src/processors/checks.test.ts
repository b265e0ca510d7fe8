import { expect, test } from 'vitest'
import { sharedPlatform } from '../../test/test-platform.ts'
import { refuseSimulators } from './checks.ts'
import { processorRegistry } from './registry.ts'

const platform = sharedPlatform()

test('production does not start while a simulated processor stands in a live flow, and names both', async () => {
  const { db } = platform().services
  await expect(refuseSimulators({ db, environment: 'production' }, processorRegistry('production'))).rejects.toThrow(
    `The payment flow ${platform().local.paymentFlowId} has the simulated processor processor_`,
  )
  await refuseSimulators({ db, environment: 'development' }, processorRegistry('development'))
})

test('a flow or a processor that is archived does not keep production from starting', async () => {
  const { db } = platform().services
  await db.write([{ sql: 'UPDATE processors SET archived_at = 1', params: [] }])
  await refuseSimulators({ db, environment: 'production' }, processorRegistry('production'))
})
