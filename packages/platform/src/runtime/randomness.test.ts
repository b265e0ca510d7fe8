import fc from 'fast-check'
import { expect, test } from 'vitest'
import { drawOf, fraction, pickByWeight, seededRandomness, systemRandomness } from './randomness.ts'

test('one seed repeats every byte, another seed gives others', () => {
  const [one, same, other] = [seededRandomness('a'), seededRandomness('a'), seededRandomness('b')]
  for (const length of [1, 14, 100, 4_096, 3]) {
    const bytes = one.bytes(length)
    expect(same.bytes(length)).toEqual(bytes)
    if (length >= 14) expect(other.bytes(length)).not.toEqual(bytes)
  }
})

test.for([
  ['system', systemRandomness()],
  ['seeded', seededRandomness('a')],
] as const)('%s bytes are fresh each time and stay as they were given', ([, randomness]) => {
  const first = randomness.bytes(16)
  const kept = [...first]
  const seen = new Set([kept.join()])
  for (let i = 0; i < 1_000; i++) seen.add(randomness.bytes(16).join())
  expect(seen.size).toBe(1_001)
  expect([...first]).toEqual(kept)
})

test('more than a pool at once is refused', () => {
  expect(() => systemRandomness().bytes(4_097)).toThrow(RangeError)
})

test('a fraction reaches from 0 to just below 1, and is spread over all of it', () => {
  const constant = (byte: number) => ({ bytes: (length: number) => new Uint8Array(length).fill(byte) })
  expect(fraction(constant(0))).toBe(0)
  expect(fraction(constant(255))).toBe(1 - 2 ** -48)
  const randomness = seededRandomness('spread')
  const tenths = Array<number>(10).fill(0)
  for (let i = 0; i < 10_000; i++) {
    const tenth = Math.floor(fraction(randomness) * 10)
    tenths[tenth] = (tenths[tenth] ?? 0) + 1
  }
  for (const count of tenths) expect(Math.abs(count - 1_000)).toBeLessThan(150)
})

test('a text has one draw, and many texts are spread over all of the range', () => {
  expect(drawOf('fsn_1')).toBe(drawOf('fsn_1'))
  const tenths = Array<number>(10).fill(0)
  for (let i = 0; i < 10_000; i++) {
    const draw = drawOf(`fsn_${i}`)
    expect(draw).toBeLessThan(1)
    tenths[Math.floor(draw * 10)] = (tenths[Math.floor(draw * 10)] ?? 0) + 1
  }
  for (const count of tenths) expect(Math.abs(count - 1_000)).toBeLessThan(150)
})

const entries = fc.array(fc.record({ weight: fc.oneof(fc.constant(0), fc.double({ min: 0, max: 1e6, noNaN: true })) }))
const draws = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true })

test('from something one is picked, and never one without weight among others', () => {
  fc.assert(
    fc.property(entries, draws, (all, draw) => {
      const picked = pickByWeight(all, draw)
      if (all.length === 0) expect(picked).toBeNull()
      else expect(all).toContain(picked)
      if (all.some(({ weight }) => weight > 0)) expect(picked?.weight).toBeGreaterThan(0)
    }),
  )
})

test('shares are as the weights say', () => {
  const [a, b] = [{ weight: 3 }, { weight: 1 }]
  expect(pickByWeight([a, b], 0.7499)).toBe(a)
  expect(pickByWeight([a, b], 0.75)).toBe(b)
})
