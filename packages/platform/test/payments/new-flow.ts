import { contract, type PaymentFlow } from '@tillwright/contract'
import { newProcessor } from '../new-processor.ts'
import type { TestPlatform } from '../test-platform.ts'

/** A flow, with the ids of its processors in their order: first the primary ones, then the fallback ones. */
export interface NewFlow {
  flow: PaymentFlow
  processorIds: readonly string[]
}

/** Makes a flow of new simulated processors that are asked in their order: one, and `fallbacks` behind it. */
export async function newFlow(
  platform: TestPlatform,
  fallbacks: number,
  change: Partial<Omit<PaymentFlow, 'id'>> = {},
): Promise<NewFlow> {
  const processorIds: string[] = []
  for (let i = 0; i <= fallbacks; i++) processorIds.push(await newProcessor(platform))
  const [first, ...others] = processorIds.map((processorId) => ({ processorId }))
  const data = {
    name: 'In order',
    strategy: 'cascade' as const,
    pickProcessorStrategy: 'ordered' as const,
    fallbackMode: true,
    maxFallbackRetries: fallbacks,
    processorConfigs: first === undefined ? [] : [first],
    fallbackProcessorConfigs: others,
    ...change,
  }
  return { flow: await platform.call(contract.paymentFlows.create, { body: { data } }), processorIds }
}
