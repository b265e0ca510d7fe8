import type { ProcessorConfig } from '@tillwright/contract'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { pickProcessor } from './pick-processor.ts'

const config = (processorId: string, weight: number, change: Partial<ProcessorConfig> = {}): ProcessorConfig => ({
  processorId,
  weight,
  disabled: false,
  nonStickable: false,
  ...change,
})
const live = new Set(['a', 'b', 'c'])

function pick(
  processorConfigs: ProcessorConfig[],
  draw: number,
  pickProcessorStrategy: 'weighted' | 'ordered' = 'weighted',
) {
  return pickProcessor({ processorConfigs, pickProcessorStrategy }, live, draw)
}

test('a processor of weight 3 takes three quarters of the range', () => {
  const configs = [config('a', 3), config('b', 1)]
  expect(pick(configs, 0).processorId).toBe('a')
  expect(pick(configs, 0.7499).processorId).toBe('a')
  expect(pick(configs, 0.75).processorId).toBe('b')
  expect(pick(configs, 0.9999).processorId).toBe('b')
})

test('weights that are all zero count as equal', () => {
  const configs = [config('a', 0), config('b', 0)]
  expect(pick(configs, 0.49).processorId).toBe('a')
  expect(pick(configs, 0.5).processorId).toBe('b')
})

test('a weight of zero beside others is never picked', () => {
  const configs = [config('a', 0), config('b', 1), config('c', 0)]
  for (const draw of [0, 0.5, 1 - 2 ** -48]) expect(pick(configs, draw).processorId).toBe('b')
})

test('the first eligible processor is taken where the order decides, whatever weight and draw', () => {
  expect(pick([config('x', 9), config('b', 0), config('a', 9)], 0.99, 'ordered').processorId).toBe('b')
})

test('disabled and archived processors are dropped, and the decision says so', () => {
  const choice = pick([config('a', 1, { disabled: true }), config('gone', 5), config('b', 2)], 0.3)
  expect(choice).toEqual({
    processorId: 'b',
    candidates: [{ processorId: 'b', weight: 2 }],
    dropped: [
      { processorId: 'a', reason: 'disabled' },
      { processorId: 'gone', reason: 'archived' },
    ],
    draw: 0.3,
  })
})

test.for(['weighted', 'ordered'] as const)('where none is eligible, none is picked (%s)', (strategy) => {
  expect(pick([config('a', 1, { disabled: true })], 0.5, strategy).processorId).toBeNull()
  expect(pick([], 0.5, strategy).processorId).toBeNull()
})

test('over the whole range each processor is picked in exact proportion to its weight', () => {
  const weights = fc.array(fc.integer({ min: 0, max: 20 }), { minLength: 1, maxLength: 3 })
  fc.assert(
    fc.property(weights, (list) => {
      const configs = list.map((weight, index) => config('abc'.charAt(index), weight))
      const shares = list.every((weight) => weight === 0) ? list.map(() => 1) : list
      const total = shares.reduce((sum, share) => sum + share, 0)
      // The middle of each of `total` equal parts of the range: as many must fall to a processor as its share.
      const picks = Array.from({ length: total }, (_, part) => pick(configs, (part + 0.5) / total).processorId)
      for (const [index, share] of shares.entries()) {
        expect(picks.filter((processorId) => processorId === 'abc'.charAt(index))).toHaveLength(share)
      }
    }),
  )
})

test('whatever the weights and the draw, what is picked is eligible', () => {
  const anyConfig = fc.record({
    processorId: fc.constantFrom('a', 'b', 'c', 'gone'),
    weight: fc.double({ min: 0, max: 1e6, noNaN: true }),
    disabled: fc.boolean(),
    nonStickable: fc.boolean(),
  })
  const draws = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true })
  fc.assert(
    fc.property(fc.array(anyConfig, { maxLength: 6 }), draws, (configs, draw) => {
      const { processorId, candidates } = pick(configs, draw)
      const eligible = configs.filter((one) => !one.disabled && live.has(one.processorId)).map((one) => one.processorId)
      expect(candidates.map((one) => one.processorId)).toEqual(eligible)
      if (eligible.length === 0) expect(processorId).toBeNull()
      else expect(eligible).toContain(processorId)
    }),
  )
})
