import type { ProcessorDriver } from '../processor-driver.ts'
import { simulatorDriver } from '../simulator.ts'

/**
 * The drivers of a platform under test. Production has the simulator for previews alone: there, one that says it moves
 * money stands in for a real processor under the same name.
 */
export function testProcessors({
  environment,
  processors = [],
}: {
  environment?: 'production'
  processors?: readonly ProcessorDriver[]
}): ProcessorDriver[] {
  const real = { ...simulatorDriver, capabilities: { movesMoney: true } }
  return [...(environment === 'production' ? [real] : []), simulatorDriver, ...processors]
}
