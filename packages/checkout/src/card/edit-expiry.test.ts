import { expect, test } from 'vitest'
import { editExpiry } from './edit-expiry.ts'

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
])('the browser may fill in %s', (filled, shown) => {
  expect(edit('', `${filled}|`, '')).toBe(shown)
})

test('a year may be typed with its century, and ends after two digits without', () => {
  expect(edit('12 / 20|', '12 / 203|')).toBe('12 / 203|')
  expect(edit('12 / 30|', '12 / 301|')).toBe('12 / 30|')
})
