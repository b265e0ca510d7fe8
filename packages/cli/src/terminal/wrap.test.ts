import { expect, test } from 'vitest'
import { wrap } from './wrap.ts'

test('text is wrapped between words and indented, and colour codes have no width', () => {
  const text = `${'word '.repeat(15)}\u001B[1mlast\u001B[22m end`
  expect(wrap(text, 2)).toBe(`${'word '.repeat(15).trim()}\n  \u001B[1mlast\u001B[22m end`)
})

test('a word longer than a line is not broken, so that it can be copied', () => {
  const place = `src/${'a'.repeat(90)}.tsx:1:1`
  expect(wrap(`At ${place} it ends.`, 0)).toBe(`At\n${place}\nit ends.`)
})
