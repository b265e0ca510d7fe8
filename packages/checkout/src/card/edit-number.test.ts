import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { digitsOf } from './ascii-digits.ts'
import { editNumber } from './field-edits.ts'

/** `|` is the caret: types, deletes or fills as a browser would, then shows what the form makes of it. */
function edit(previous: string, after: string, kind = 'insertText'): string {
  const text = after.replace('|', '')
  const edited = editNumber({ previous: previous.replace('|', ''), text, caret: after.indexOf('|'), kind })
  return `${edited.text.slice(0, edited.caret)}|${edited.text.slice(edited.caret)}`
}

test('digits stand in the groups of their brand', () => {
  expect(edit('', '4242424242424242|')).toBe('4242 4242 4242 4242|')
  expect(edit('', '378282246310005|')).toBe('3782 822463 10005|')
})

test('a pasted number may hold spaces, dashes, words and full-width digits', () => {
  expect(edit('', 'No. 4242-4242 4242 4242|', 'insertFromPaste')).toBe('4242 4242 4242 4242|')
  expect(edit('', '４２４２４|', 'insertFromPaste')).toBe('4242 4|')
  expect(edit('', '٤٢٤٢٤|', 'insertFromPaste')).toBe('4242 4|')
  expect(edit('', '𝟒𝟐|𝟒𝟐𝟒', 'insertFromPaste')).toBe('42|42 4')
})

test('the caret stays behind the digit that was typed in the middle', () => {
  expect(edit('4242| 4242', '42425| 4242')).toBe('4242 5|424 2')
  expect(edit('4|242', '49|242')).toBe('49|24 2')
})

test('a letter changes nothing', () => {
  expect(edit('42|42', '42x|42')).toBe('42|42')
})

test('what a stripe reader types is dropped, at the first mark and as a whole', () => {
  expect(edit('5555 5555 5555 4444', '5555 5555 5555 4444^|')).toBe('|')
  expect(edit('', '%B5555555555554444^DOE/JANE^30121010000000000?|', 'insertFromPaste')).toBe('|')
  expect(edit('', ';5555555555554444=30121010000000000?|', 'insertFromPaste')).toBe('|')
})

test('deleting a space deletes the digit next to it', () => {
  expect(edit('4242 |4', '4242|4', 'deleteContentBackward')).toBe('424|4')
  expect(edit('4242| 14', '4242|14', 'deleteContentForward')).toBe('4242| 4')
})

test('a digit typed into a full field is refused, and a number pasted too long is cut', () => {
  expect(edit('3782 8|22463 10005', '3782 81|22463 10005')).toBe('3782 8|22463 10005')
  expect(edit('', '3782822463100051|', 'insertFromPaste')).toBe('3782 822463 10005|')
})

test('no text, caret or kind of edit leaves anything but grouped digits with the caret inside', () => {
  const edits = fc.record({
    previous: fc.constant(''),
    text: fc.string({ unit: fc.constantFrom(...Array.from('0123456789 -x/')) }),
    caret: fc.nat(30),
    kind: fc.constantFrom('insertText', 'insertFromPaste', 'deleteContentBackward', 'deleteContentForward', ''),
  })
  fc.assert(
    fc.property(edits, (made) => {
      const { text, caret } = editNumber({ ...made, caret: Math.min(made.caret, made.text.length) })
      expect(text).toMatch(/^(\d+( \d+)*)?$/)
      expect(caret).toBeLessThanOrEqual(text.length)
      const again = editNumber({ previous: text, text, caret, kind: '' })
      expect(again.text).toBe(text)
      expect(digitsOf(made.text).startsWith(digitsOf(text)) || made.kind.startsWith('delete')).toBe(true)
    }),
  )
})

test('what is typed anywhere and then deleted again leaves number and caret as they were', () => {
  const cases = fc.record({ digits: fc.stringMatching(/^[2-6]\d{0,13}$/), at: fc.nat(14), digit: fc.nat(9) })
  fc.assert(
    fc.property(cases, ({ digits, at, digit }) => {
      const { text } = editNumber({ previous: '', text: digits, caret: 0, kind: '' })
      // The caret behind some digit, where a keyboard can put it.
      const caret = Math.max(0, text.length - at)
      const typed = text.slice(0, caret) + digit + text.slice(caret)
      const after = editNumber({ previous: text, text: typed, caret: caret + 1, kind: 'insertText' })
      expect(digitsOf(after.text.slice(0, after.caret))).toBe(digitsOf(text.slice(0, caret)) + digit)
      const deleted = after.text.slice(0, after.caret - 1) + after.text.slice(after.caret)
      const kind = 'deleteContentBackward'
      const back = editNumber({ previous: after.text, text: deleted, caret: after.caret - 1, kind })
      expect(back.text).toBe(text)
      expect(digitsOf(back.text.slice(0, back.caret))).toBe(digitsOf(text.slice(0, caret)))
    }),
  )
})
