import { expect, test } from 'vitest'
import { drawOf, pickByWeight } from '../runtime/randomness.ts'
import type { PastAttempt, PastPayment } from './past-payments.ts'
import { type ReplayedFlow, replayFlow } from './replay-flow.ts'

const config = (processorId: string, weight = 1) => ({ processorId, weight, disabled: false, nonStickable: false })
const shares = [config('a', 3), config('b', 1)]
const replayed: ReplayedFlow = {
  flow: {
    strategy: 'simple',
    pickProcessorStrategy: 'weighted',
    processorConfigs: shares,
    fallbackProcessorConfigs: [],
    fallbackMode: false,
    maxFallbackRetries: 0,
    stickyProcessorEnabled: false,
  },
  processors: new Map(['a', 'b', 'c'].map((id) => [id, { currencies: null, brands: null }])),
}
const cascade: ReplayedFlow['flow'] = {
  ...replayed.flow,
  strategy: 'cascade',
  pickProcessorStrategy: 'ordered',
  processorConfigs: [config('a')],
  fallbackProcessorConfigs: [config('b'), config('c')],
  fallbackMode: true,
  maxFallbackRetries: 1,
}

function attempt(id: string, change: Partial<PastAttempt> = {}): PastAttempt {
  const draw = drawOf(id)
  const processorId = pickByWeight(shares, draw)?.processorId ?? ''
  const failing = new Set<string>()
  return {
    id,
    processorId,
    draw,
    sticky: 'off',
    failing,
    outcome: 'succeeded',
    advice: null,
    isSuccess: true,
    ...change,
  }
}

function payment(number: number, change: Partial<PastPayment> = {}): PastPayment {
  return {
    id: `pay_${number}`,
    customerId: `cus_${number % 10}`,
    currency: 'USD',
    brand: 'visa',
    isRenewal: false,
    isStoppedByFlow: false,
    attempts: [attempt(`att_${number}`)],
    createdMs: number,
    ...change,
  }
}

/** Payments as the flow would have chosen them. */
const past = Array.from({ length: 400 }, (_, number) => payment(number))
const soft = { outcome: 'soft_decline', isSuccess: false } as const

test('the flow that has chosen chooses the same again', async () => {
  const same = await replayFlow(past, replayed)
  expect(same).toMatchObject({ payments: 400, moved: 0, refused: 0, moves: [], otherMoves: 0 })
  for (const { before, after } of same.processors) expect(after).toBe(before)
})

test('another flow is counted by where it would have sent each payment, with the newest as examples', async () => {
  const flow = { ...replayed.flow, processorConfigs: [config('c')] }
  const other = await replayFlow(past, { ...replayed, flow })
  expect(other).toMatchObject({ payments: 400, moved: 400, refused: 0 })
  expect(other.processors[0]).toEqual({ processorId: 'c', before: 0, after: 400 })
  const [most] = other.moves
  expect(most).toMatchObject({ attempt: 'first', fromProcessorId: 'a', toProcessorId: 'c', currency: 'USD' })
  const toA = past.filter(({ attempts }) => attempts[0]?.processorId === 'a')
  expect([most?.payments, most?.paymentIds.length]).toEqual([toA.length, 10])
  expect(most?.paymentIds[0]).toBe(toA.at(-1)?.id)
})

test('ways in which payments move are told apart by currency and network, and share the examples', async () => {
  const kinds = Array.from({ length: 60 }, (_, kind) =>
    Array.from({ length: kind + 1 }, (__, at) => payment(1_000 * kind + at, { brand: `brand ${kind}` })),
  )
  const flow = { ...replayed.flow, processorConfigs: [config('c')] }
  const { moves, otherMoves, moved } = await replayFlow(kinds.flat(), { ...replayed, flow })
  expect(moves).toHaveLength(50)
  expect(moves.map(({ paymentIds }) => paymentIds.length)).toEqual(moves.map(() => 1))
  expect(moves.reduce((sum, { payments }) => sum + payments, otherMoves)).toBe(moved)
})

test('what no processor takes is counted as refused', async () => {
  const processors = new Map([['a', { currencies: ['EUR'], brands: null }]])
  expect(await replayFlow(past, { ...replayed, processors })).toMatchObject({ moved: 400, refused: 400 })
})

test('a processor that was failing then is failing in the replay', async () => {
  const failing = payment(1, { attempts: [attempt('att_1', { processorId: 'b', failing: new Set(['a']) })] })
  const flow = { ...replayed.flow, pickProcessorStrategy: 'ordered' } as const
  expect(await replayFlow([failing], { ...replayed, flow })).toMatchObject({ moved: 0 })
})

test('a flow that keeps customers sends each where the first success would have gone', async () => {
  const flow = { ...replayed.flow, stickyProcessorEnabled: true }
  const { processors } = await replayFlow(past, { ...replayed, flow })
  const first = new Map(past.slice(0, 10).map(({ customerId, attempts }) => [customerId, attempts[0]?.processorId]))
  const toA = [...first.values()].filter((processorId) => processorId === 'a').length
  expect(processors.find(({ processorId }) => processorId === 'a')?.after).toBe(40 * toA)
})

test('a customer who was kept stays, also a renewal of a flow that keeps none, until the replay has sent them elsewhere', async () => {
  const kept = (number: number, change: Partial<PastPayment> = {}) =>
    payment(number, {
      customerId: 'cus',
      attempts: [attempt('att_1', { processorId: 'b', sticky: 'kept', draw: 0 })],
      ...change,
    })
  const sticky = { ...replayed.flow, stickyProcessorEnabled: true }
  expect(await replayFlow([kept(1)], { ...replayed, flow: sticky })).toMatchObject({ moved: 0 })
  expect(await replayFlow([kept(1)], replayed)).toMatchObject({ moved: 1 })
  expect(await replayFlow([kept(1, { isRenewal: true })], replayed)).toMatchObject({ moved: 0 })
  const without = { ...sticky, processorConfigs: [config('c')], fallbackProcessorConfigs: [] }
  const { moves } = await replayFlow([kept(1), kept(2)], { ...replayed, flow: without })
  expect(moves).toMatchObject([{ toProcessorId: 'c', payments: 2 }])
})

test('attempts after a failure go by the rules for them: to another processor, to none, or to one that was not asked', async () => {
  const attempts = [attempt('att_1', { processorId: 'a', ...soft }), attempt('att_2', { processorId: 'b', ...soft })]
  const declined = payment(1, { attempts, isStoppedByFlow: true })
  const through = async (change: Partial<ReplayedFlow['flow']>) =>
    (await replayFlow([declined], { ...replayed, flow: { ...cascade, ...change } })).moves.map(
      ({ attempt: name, fromProcessorId, toProcessorId }) => [name, fromProcessorId, toProcessorId],
    )
  expect(await through({})).toEqual([])
  expect(await through({ fallbackProcessorConfigs: [config('c')] })).toEqual([['further', 'b', 'c']])
  expect(await through({ strategy: 'simple' })).toEqual([['further', 'b', null]])
  expect(await through({ maxFallbackRetries: 2 })).toEqual([['further', null, 'c']])
})
