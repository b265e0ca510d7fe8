import { contract } from '@tillwright/contract'
import { describe, expect, test } from 'vitest'
import { newInstrument } from '../../test/pay-with-card.ts'
import { ruleEngines, sharedPlatform } from '../../test/test-platform.ts'

describe.each(ruleEngines())('on %s', (engine) => {
  const platform = sharedPlatform({ engine })

  test('who comes back while their erasure is under way is a new customer with the same e-mail address', async () => {
    const { call } = platform()
    const customerData = { email: 'ada@example.com', firstName: 'Ada' }
    const { customerId } = await newInstrument(platform(), { customerData })
    // The clock stands still, and with it the worker.
    const { status } = await call(contract.customers.erase, { params: { customerId }, body: {} })
    expect(status).toBe('pending')
    const again = await newInstrument(platform(), { customerData })
    expect(again.customerId).not.toBe(customerId)
    expect((await newInstrument(platform(), { customerData })).customerId).toBe(again.customerId)
    const { email } = await call(contract.customers.get, { params: { customerId: again.customerId } })
    expect(email).toBe(customerData.email)
  })
})
