import { expect, test } from 'vitest'
import { newPaymentFlow } from './payment-flows.ts'

const data = { name: 'Flow', strategy: 'simple', processorConfigs: [{ processorId: 'processor_1' }] }

test('a flow needs a name, a strategy and one processor; the rest has defaults', () => {
  expect(newPaymentFlow.parse({ data }).data).toEqual({
    ...data,
    processorConfigs: [{ processorId: 'processor_1', weight: 1, disabled: false, nonStickable: false }],
    fallbackMode: false,
    maxFallbackRetries: 0,
    threeDsEnabled: false,
    stickyProcessorEnabled: false,
    pickProcessorStrategy: 'weighted',
    fallbackProcessorConfigs: [],
    abuseDetectionConfig: null,
    exemptionPolicy: null,
  })
})

test('an abuse detection has the documented defaults', () => {
  const read = newPaymentFlow.parse({ data: { ...data, abuseDetectionConfig: { enabled: true } } })
  expect(read.data.abuseDetectionConfig).toEqual({
    enabled: true,
    windowSeconds: 600,
    maxAttemptsPerIp: 10,
    maxAttemptsPerCard: 5,
    maxDistinctCardsPerCustomer: 3,
    action: 'block',
    blockSeconds: 3_600,
  })
})

test.for([
  ['no name', { name: undefined }, 'name'],
  ['no strategy', { strategy: undefined }, 'strategy'],
  ['an unknown strategy', { strategy: 'best' }, 'strategy'],
  ['no processors', { processorConfigs: [] }, 'processorConfigs'],
  ['a negative weight', { processorConfigs: [{ processorId: 'p', weight: -1 }] }, 'processorConfigs.0.weight'],
  ['a negative number of retries', { maxFallbackRetries: -1 }, 'maxFallbackRetries'],
  ['half a retry', { maxFallbackRetries: 0.5 }, 'maxFallbackRetries'],
  ['an unknown pick strategy', { pickProcessorStrategy: 'cheapest' }, 'pickProcessorStrategy'],
  ['an unknown action', { abuseDetectionConfig: { enabled: true, action: 'shout' } }, 'abuseDetectionConfig.action'],
] as const)('a flow with %s is refused', ([, change, path]) => {
  const issues = newPaymentFlow.safeParse({ data: { ...data, ...change } }).error?.issues ?? []
  expect(issues.map((issue) => issue.path.join('.'))).toContain(`data.${path}`)
})
