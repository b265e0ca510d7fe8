import fc from 'fast-check'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { base62, newId, seededRandomness, uuidOf } from './randomness.ts'

test('an id is its prefix, an underscore and 22 base62 characters', () => {
  expect(newId('pay', Date.now(), seededRandomness('a'))).toMatch(/^pay_[0-9A-Za-z]{22}$/)
})

test('ids sort by the time they were made', () => {
  const randomness = seededRandomness('a')
  const times = [0, 1, 61, 62, 3_843, 3_844, Date.UTC(2025, 0, 1), Date.UTC(2030, 0, 1), Date.UTC(2999, 0, 1)]
  const ids = times.map((timeMs) => newId('evt', timeMs, randomness))
  expect(ids.toSorted((a, b) => (a < b ? -1 : 1))).toEqual(ids)
})

test('two ids of one moment differ', () => {
  const randomness = seededRandomness('a')
  expect(new Set(Array.from({ length: 5_000 }, () => newId('evt', 0, randomness))).size).toBe(5_000)
})

test('a byte that would favour some characters is drawn again', () => {
  const drawn = [255, 248, 0, 250, 61, 62]
  const randomness = { bytes: (length: number) => Uint8Array.from(drawn.splice(0, length)) }
  expect(base62(randomness, 3)).toBe('0z0')
})

test('any sixteen bytes make a UUID of version 4', () => {
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 16, maxLength: 32 }), (bytes) => {
      expect(z.uuidv4().safeParse(uuidOf(bytes)).success).toBe(true)
    }),
  )
})

test('122 of the bits are kept', () => {
  expect(uuidOf(new Uint8Array(16))).toBe('00000000-0000-4000-8000-000000000000')
  expect(uuidOf(new Uint8Array(16).fill(255))).toBe('ffffffff-ffff-4fff-bfff-ffffffffffff')
})
