import { bankSimulator } from '@tillwright/bank-simulator'
import type { ProcessorDriver, ProcessorReport } from '../../src/processors/processor-driver.ts'
import { simulatorOf } from '../../src/processors/simulator.ts'
import { connectProcessor } from '../new-processor.ts'
import type { Answer } from '../send-request.ts'
import type { TestPlatform } from '../test-platform.ts'

const ID = 'processor_telling'
const NAME = 'telling'

/** A simulated processor whose events all tell what a test says: it is asked at each look at how things stand. */
export function tellingDriver(told: () => ProcessorReport | null): ProcessorDriver {
  return {
    ...simulatorOf(bankSimulator),
    name: NAME,
    events: {
      secret: { called: 'the secret', problem: () => null },
      help: '',
      read: async () => ({ id: 'event', type: 'told', report: async () => told() }),
    },
  }
}

/** Connects the processor to the local account: the id of a payment flow of it alone. */
export function connectTelling(platform: TestPlatform, driver: ProcessorDriver): Promise<string> {
  return connectProcessor(platform, { id: ID, driver, settings: {}, secret: '', eventSecret: 'secret' })
}

/** Sends an event of the processor. */
export function sendEvent({ request, local }: TestPlatform): Promise<Answer> {
  return request('POST', `/api/processors/v1/${local.accountId}/${ID}/${NAME}-events`, { key: '', body: '{}' })
}
