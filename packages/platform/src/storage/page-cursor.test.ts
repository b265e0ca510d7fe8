import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ApiError } from '../runtime/errors.ts'
import { readCursor, writeCursor } from './page-cursor.ts'

test('a position is read back from its cursor', () => {
  const positions = fc.record({ createdAtMs: fc.maxSafeNat(), id: fc.stringMatching(/^[A-Za-z0-9_-]{1,64}$/) })
  fc.assert(
    fc.property(positions, (position) => {
      expect(readCursor(writeCursor(position))).toEqual(position)
    }),
  )
})

test('any other text is refused', () => {
  const other = ['', 'x', writeCursor({ createdAtMs: -1, id: 'a' }), writeCursor({ createdAtMs: 1, id: 'a\0' })]
  const tooLate = Buffer.from('9999999999999999 a').toString('base64url')
  for (const cursor of [...other, tooLate]) expect(() => readCursor(cursor), cursor).toThrow(ApiError)
})
