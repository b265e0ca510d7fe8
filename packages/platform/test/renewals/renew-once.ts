import { bankSimulator } from '@tillwright/bank-simulator'
import { openDrivers } from '../../src/processors/open-drivers.ts'
import { processorRegistry } from '../../src/processors/registry.ts'
import { simulatorOf } from '../../src/processors/simulator.ts'
import { renewDue } from '../../src/renewals/renewals.ts'
import { circuitBreaker } from '../../src/routing/circuit-breaker.ts'
import type { TestPlatform } from '../test-platform.ts'
import { testCodes } from '../vault/test-codes.ts'

/** One round of another process's worker: how many subscriptions it has claimed. */
export function renewOnce({ services, apiUrl }: Pick<TestPlatform, 'services' | 'apiUrl'>): Promise<number> {
  return renewDue({
    services,
    driverOf: openDrivers(services, processorRegistry('local', [simulatorOf(bankSimulator)])),
    codes: testCodes(services),
    circuit: circuitBreaker(services.clock),
    apiUrl,
  })
}
