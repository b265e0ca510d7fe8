import { expect, test } from 'vitest'
import { asciiDigits, digitsOf } from './ascii-digits.ts'

test.each([
  ['full-width', '０１２３４５６７８９'],
  ['Arabic-Indic', '٠١٢٣٤٥٦٧٨٩'],
  ['Extended Arabic-Indic', '۰۱۲۳۴۵۶۷۸۹'],
  ['Devanagari', '०१२३४५६७८९'],
  ['Bengali', '০১২৩৪৫৬৭৮৯'],
  ['Thai', '๐๑๒๓๔๕๖๗๘๙'],
  ['mathematical bold', '𝟎𝟏𝟐𝟑𝟒𝟓𝟔𝟕𝟖𝟗'],
  ['mathematical double-struck, which follow the bold ones', '𝟘𝟙𝟚𝟛𝟜𝟝𝟞𝟟𝟠𝟡'],
])('digits in %s are read', (_, digits) => {
  expect(asciiDigits(digits)).toBe('0123456789')
})

test('the digits of every script that this runtime knows count from zero to nine', () => {
  const all = Array.from({ length: 0x110000 }, (_, codePoint) => codePoint)
    .filter((codePoint) => codePoint < 0xd800 || codePoint > 0xdfff)
    .map((codePoint) => String.fromCodePoint(codePoint))
    .filter((character) => /\p{Nd}/u.test(character))
  expect(all.length).toBeGreaterThan(500)
  expect(asciiDigits(all.join(''))).toBe('0123456789'.repeat(all.length / 10))
})

test('what is no decimal digit stays, and is no digit of a number', () => {
  expect(asciiDigits('4² ⅷ x')).toBe('4² ⅷ x')
  expect(digitsOf('4² ⅷ x٤')).toBe('44')
})
