import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { editExpiry } from './field-edits.ts'

/** `|` is the caret. */
function edit(previous: string, after: string, kind = 'insertText'): string {
  const text = after.replace('|', '')
  const edited = editExpiry({ previous: previous.replace('|', ''), text, caret: after.indexOf('|'), kind })
  return `${edited.text.slice(0, edited.caret)}|${edited.text.slice(edited.caret)}`
}

test('the slash comes by itself after the month', () => {
  expect(edit('1|', '12|')).toBe('12 / |')
  expect(edit('12 / |', '12 / 3|')).toBe('12 / 3|')
})

test('a slash typed by hand is not doubled, and completes a month of one digit', () => {
  expect(edit('12 / |', '12 / /|')).toBe('12 / |')
  expect(edit('1|', '1/|')).toBe('01 / |')
})

test('a first digit from 2 to 9 is a month by itself', () => {
  expect(edit('', '5|')).toBe('05 / |')
})

test('a backspace behind the slash takes the month with it', () => {
  expect(edit('12 / |', '12 /|', 'deleteContentBackward')).toBe('1|')
  expect(edit('12 / 3|', '12 / |', 'deleteContentBackward')).toBe('12|')
})

test.each([
  ['12/30', '12 / 30|'],
  ['12/2030', '12 / 2030|'],
  ['2030-12', '12 / 2030|'],
  ['2030-1', '01 / 2030|'],
  ['5/30', '05 / 30|'],
  ['122030', '12 / 2030|'],
  ['1/34', '01 / 34|'],
  ['0134', '01 / 34|'],
  ['12/2034', '12 / 2034|'],
  ['1 / 34', '01 / 34|'],
  ['١٢/٣٤', '12 / 34|'],
  ['५/३४', '05 / 34|'],
])('the browser may fill in %s', (filled, shown) => {
  expect(edit('', `${filled}|`, '')).toBe(shown)
})

test('a year may be typed with its century, and ends after two digits without', () => {
  expect(edit('12 / 20|', '12 / 203|')).toBe('12 / 203|')
  expect(edit('12 / 30|', '12 / 301|')).toBe('12 / 30|')
})

test('no text, caret or kind of edit leaves anything but month and year with the caret inside', () => {
  const edits = fc.record({
    text: fc.string({ unit: fc.constantFrom(...Array.from('0123456789 -x/٣𝟗')) }),
    caret: fc.nat(30),
    kind: fc.constantFrom('insertText', 'insertFromPaste', 'insertFromDrop', 'deleteContentBackward', ''),
  })
  fc.assert(
    fc.property(edits, (made) => {
      const { text, caret } = editExpiry({ ...made, previous: '', caret: Math.min(made.caret, made.text.length) })
      expect(text).toMatch(/^(\d{0,2}|\d\d \/ \d{0,4})$/)
      expect(caret).toBeLessThanOrEqual(text.length)
    }),
  )
})
