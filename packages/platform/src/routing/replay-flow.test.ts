import { expect, test } from 'vitest'
import { drawOf, pickByWeight } from '../runtime/randomness.ts'
import { type PastPayment, type ReplayedFlow, replayFlow } from './replay-flow.ts'

const config = (processorId: string, weight: number) => ({ processorId, weight, disabled: false, nonStickable: false })
const shares = [config('a', 3), config('b', 1)]
const flow: ReplayedFlow = {
  flow: {
    strategy: 'simple',
    pickProcessorStrategy: 'weighted',
    processorConfigs: shares,
    fallbackProcessorConfigs: [],
  },
  processors: new Map(['a', 'b', 'c'].map((id) => [id, { currencies: null, brands: null }])),
  keepsCustomers: false,
}

/** Payments as the flow would have chosen them. */
const past = Array.from({ length: 400 }, (_, i): PastPayment => {
  const attemptId = `att_${i}`
  const processorId = pickByWeight(shares, drawOf(attemptId))?.processorId ?? ''
  return { attemptId, processorId, customerId: `cus_${i % 10}`, currency: 'USD', brand: 'visa', status: 'succeeded' }
})

test('the flow that has chosen chooses the same again', () => {
  const replayed = replayFlow(past, flow)
  expect(replayed).toMatchObject({ payments: 400, unchanged: 400, refused: 0 })
  for (const { before, after } of replayed.processors) expect(after).toBe(before)
})

test('another flow is counted by where it would have sent each payment', () => {
  const other = { ...flow.flow, processorConfigs: [config('c', 1)] }
  const replayed = replayFlow(past, { ...flow, flow: other })
  expect(replayed).toMatchObject({ payments: 400, unchanged: 0, refused: 0 })
  expect(replayed.processors[0]).toEqual({ processorId: 'c', before: 0, after: 400 })
})

test('what no processor takes is counted as refused', () => {
  const processors = new Map([['a', { currencies: ['EUR'], brands: null }]])
  expect(replayFlow(past, { ...flow, processors })).toMatchObject({ payments: 400, unchanged: 0, refused: 400 })
})

test('a flow that keeps customers sends each where the first success would have gone', () => {
  const replayed = replayFlow(past, { ...flow, keepsCustomers: true })
  const first = new Map(past.slice(0, 10).map(({ customerId, processorId }) => [customerId, processorId]))
  const toA = [...first.values()].filter((processorId) => processorId === 'a').length
  expect(replayed.processors.find(({ processorId }) => processorId === 'a')?.after).toBe(40 * toA)
})
