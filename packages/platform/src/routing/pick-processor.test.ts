import type { ProcessorConfig } from '@tillwright/contract'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { drawOf } from '../runtime/randomness.ts'
import { type Picking, pickProcessor, type Takes } from './route.ts'

const config = (processorId: string, weight: number, change: Partial<ProcessorConfig> = {}): ProcessorConfig => ({
  processorId,
  weight,
  disabled: false,
  nonStickable: false,
  ...change,
})
const anything: Takes = { currencies: null, brands: null }
const picking: Omit<Picking, 'flow' | 'draw'> = {
  processors: new Map(['a', 'b', 'c'].map((id) => [id, anything])),
  currency: 'USD',
  brand: 'visa',
  method: { type: 'card', kind: 'number' },
  tried: new Set(),
  failing: new Set(),
  lastSuccess: 'off',
}

function pick(
  processorConfigs: ProcessorConfig[],
  draw: number,
  { flow, ...change }: Partial<Omit<Picking, 'flow'>> & { flow?: Partial<Picking['flow']> } = {},
) {
  const own = { processorConfigs, fallbackProcessorConfigs: [] }
  return pickProcessor({
    ...picking,
    draw,
    ...change,
    flow: { strategy: 'simple', pickProcessorStrategy: 'weighted', ...own, ...flow },
  })
}

const ordered = { flow: { pickProcessorStrategy: 'ordered' } } as const

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

test('a weight of zero among others is never picked', () => {
  const configs = [config('a', 0), config('b', 1), config('c', 0)]
  for (const draw of [0, 0.5, 1 - 2 ** -48]) expect(pick(configs, draw).processorId).toBe('b')
})

test('the first eligible processor is taken where the order decides, whatever weight and draw', () => {
  expect(pick([config('x', 9), config('b', 0), config('a', 9)], 0.99, ordered).processorId).toBe('b')
})

test('disabled and archived processors are dropped, and the decision says so', () => {
  const choice = pick([config('a', 1, { disabled: true }), config('gone', 5), config('b', 2)], 0.3)
  expect(choice).toEqual({
    processorId: 'b',
    pool: 'primary',
    candidates: [{ processorId: 'b', weight: 2 }],
    sticky: 'off',
    dropped: [
      { processorId: 'a', reason: 'disabled' },
      { processorId: 'gone', reason: 'archived' },
    ],
    draw: 0.3,
  })
})

test.for(['weighted', 'ordered'] as const)('where none is eligible, none is picked (%s)', (strategy) => {
  expect(
    pick([config('a', 1, { disabled: true })], 0.5, { flow: { pickProcessorStrategy: strategy } }).processorId,
  ).toBeNull()
  expect(pick([], 0.5, { flow: { pickProcessorStrategy: strategy } }).processorId).toBeNull()
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
      const eligible = configs
        .filter((one) => !one.disabled && picking.processors.has(one.processorId))
        .map((one) => one.processorId)
      expect(candidates.map((one) => one.processorId)).toEqual(eligible)
      if (eligible.length === 0) expect(processorId).toBeNull()
      else expect(eligible).toContain(processorId)
    }),
  )
})

test('over 100,000 attempts each processor takes its share to one per cent', () => {
  const weights = { a: 50, b: 30, c: 20 }
  const configs = Object.entries(weights).map(([processorId, weight]) => config(processorId, weight))
  const picked = new Map<string | null, number>()
  for (let i = 0; i < 100_000; i++) {
    const { processorId } = pick(configs, drawOf(`att_${i}`))
    picked.set(processorId, (picked.get(processorId) ?? 0) + 1)
  }
  for (const [processorId, weight] of Object.entries(weights)) {
    expect(Math.abs((picked.get(processorId) ?? 0) / 1_000 - weight)).toBeLessThan(1)
  }
})

test.for([
  ['was archived', 'archived', { processors: new Map([['b', anything]]) }],
  ['was tried', 'already_tried', { tried: new Set(['a']) }],
  ['does not take the currency', 'currency_unsupported', { processors: takesInstead({ currencies: ['EUR'] }) }],
  ['does not take the network', 'brand_unsupported', { processors: takesInstead({ brands: ['amex'] }) }],
  ['keeps failing', 'circuit_open', { failing: new Set(['a']) }],
] as const)('a processor that %s is left out (%s)', ([, reason, change]) => {
  expect(pick([config('a', 1), config('b', 1)], 0, change)).toMatchObject({
    processorId: 'b',
    candidates: [{ processorId: 'b' }],
    dropped: [{ processorId: 'a', reason }],
  })
})

test('a processor with lists takes what stands in them', () => {
  const processors = takesInstead({ currencies: ['EUR', 'USD'], brands: ['visa'] })
  expect(pick([config('a', 1)], 0, { processors }).processorId).toBe('a')
})

const card = { type: 'card', kind: 'number' } as const

test('a processor that cannot take the method, or the kind of card, is left out', () => {
  const methods = [{ method: 'ideal', currencies: ['EUR'], countries: ['NL'] }] as const
  const processors = takesInstead({ capabilities: { cards: ['number'], methods } })
  const only = config('a', 1)
  const reasonOf = (method: Picking['method'], currency: string) =>
    pick([only], 0, { processors, method, currency }).dropped[0]?.reason ?? 'taken'
  expect(reasonOf(card, 'USD')).toBe('taken')
  expect(reasonOf({ type: 'card', kind: 'network_token' }, 'USD')).toBe('method_unsupported')
  expect(reasonOf({ type: 'ideal', country: 'NL' }, 'EUR')).toBe('taken')
  expect(reasonOf({ type: 'ideal', country: null }, 'EUR')).toBe('taken')
  expect(reasonOf({ type: 'ideal', country: 'FR' }, 'EUR')).toBe('method_unsupported')
  expect(reasonOf({ type: 'ideal', country: 'NL' }, 'USD')).toBe('method_unsupported')
  expect(reasonOf({ type: 'paypal', country: null }, 'EUR')).toBe('method_unsupported')
})

function takesInstead(change: Partial<Takes>): Map<string, Takes> {
  return new Map([
    ['a', { ...anything, ...change }],
    ['b', anything],
  ])
}

test('the fallback processors of a cascade are asked when none of the others can be, and only then', () => {
  const flow: Partial<Picking['flow']> = { strategy: 'cascade', fallbackProcessorConfigs: [config('c', 1)] }
  expect(pick([config('a', 1)], 0, { flow })).toMatchObject({ processorId: 'a', pool: 'primary' })
  const tried = new Set(['a'])
  expect(pick([config('a', 1)], 0, { flow, tried })).toMatchObject({ processorId: 'c', pool: 'fallback' })
  expect(pick([config('a', 1)], 0, { flow: { ...flow, strategy: 'simple' }, tried }).processorId).toBeNull()
})

test('a customer stays with the processor of the last success, whatever the draw', () => {
  const configs = [config('a', 1), config('b', 0)]
  const lastSuccess = { processorId: 'b' }
  expect(pick(configs, 0, { lastSuccess })).toMatchObject({ processorId: 'b', sticky: 'kept', pool: 'primary' })
  const flow: Partial<Picking['flow']> = { strategy: 'cascade', fallbackProcessorConfigs: [config('c', 1)] }
  const kept = pick(configs, 0, { flow, lastSuccess: { processorId: 'c' } })
  expect(kept).toMatchObject({ processorId: 'c', sticky: 'kept', pool: 'fallback' })
})

test.for([
  ['non_stickable', { nonStickable: true }],
  ['not_eligible', { disabled: true }],
] as const)('a customer is not kept where the processor is %s', ([sticky, change]) => {
  const configs = [config('a', 1), config('b', 1, change)]
  expect(pick(configs, 0, { lastSuccess: { processorId: 'b' } })).toMatchObject({ processorId: 'a', sticky })
})
