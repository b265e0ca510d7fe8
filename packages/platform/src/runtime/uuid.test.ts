import fc from 'fast-check'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { uuidOf } from './ids.ts'

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
