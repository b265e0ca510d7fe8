import fc from 'fast-check'
import { expect, test } from 'vitest'
import { lineStarts, positionAt } from './problem.ts'

test('lines end with LF, CR LF or CR, and columns count UTF-16 code units', () => {
  const text = 'a\r\nbc\rd\n😀e'
  const place = (part: string) => positionAt(lineStarts(text), text.indexOf(part))
  expect(place('bc')).toEqual({ line: 2, column: 1 })
  expect(place('d')).toEqual({ line: 3, column: 1 })
  expect(place('e')).toEqual({ line: 4, column: 3 })
})

test("an offset's position leads back to it", () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom('a', '\n', '\r\n', '\r', '"')), fc.nat({ max: 100 }), (parts, at) => {
      const text = parts.join('')
      const starts = lineStarts(text)
      const offset = Math.min(at, text.length)
      const { line, column } = positionAt(starts, offset)
      expect((starts[line - 1] ?? NaN) + column - 1).toBe(offset)
      expect(starts[line] ?? Infinity).toBeGreaterThan(offset)
    }),
  )
})
