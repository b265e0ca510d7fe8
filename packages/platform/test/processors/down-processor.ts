import { bankSimulator } from '@tillwright/bank-simulator'
import { contract } from '@tillwright/contract'
import { commit } from '../../src/http/operations/commit.ts'
import type { ProcessorDriver } from '../../src/processors/processor-driver.ts'
import { insertProcessor } from '../../src/processors/processors.ts'
import { simulatorOf } from '../../src/processors/simulator.ts'
import type { TestPlatform } from '../test-platform.ts'

/** A processor during an outage: it refuses every charge before it accepts it. */
export const downDriver: ProcessorDriver = {
  ...simulatorOf(bankSimulator),
  name: 'down',
  async open(processor) {
    const driver = await simulatorOf(bankSimulator).open(processor)
    return { ...driver, authorise: async () => ({ outcome: 'refused_before_acceptance', reason: 'outage' }) }
  },
}

/** Makes a flow with such a processor alone, on a platform that was handed its driver: the id. */
export async function flowThroughDown({ call, clock, local, services }: TestPlatform): Promise<string> {
  const row = { id: 'processor_down', accountId: local.accountId, name: 'Down', driver: downDriver.name }
  await commit([insertProcessor({ ...row, settings: downDriver.settings.parse({}) }, clock.now())], services)
  const data = { name: 'Down', strategy: 'simple' as const, processorConfigs: [{ processorId: row.id }] }
  return (await call(contract.paymentFlows.create, { body: { data } })).id
}
