import fc from 'fast-check'
import { expect, test } from 'vitest'
import { nearMiss } from './near-miss.ts'

const keys = ['name', 'pages', 'mode', 'version', 'description', 'direct-mode', 'spa-mode']

test.for([
  ['pagse', 'pages'],
  ['Version', 'version'],
  ['discription', 'description'],
  ['direct_mode', 'direct-mode'],
  ['spamode', 'spa-mode'],
  ['mod', 'mode'],
  ['colour', null],
  ['x', null],
  ['', null],
  ['v'.repeat(1_000_000), null],
] as const)('%s is recognised as %s', ([written, meant]) => {
  expect(nearMiss(written, keys)).toBe(meant)
})

test('a word is nearest to itself, and swapping neighbours keeps it near', () => {
  fc.assert(
    fc.property(fc.constantFrom(...keys), fc.nat({ max: 20 }), (word, at) => {
      expect(nearMiss(word, keys)).toBe(word)
      const index = at % (word.length - 1)
      const swapped = word.slice(0, index) + word.charAt(index + 1) + word.charAt(index) + word.slice(index + 2)
      expect(nearMiss(swapped, keys)).toBe(word)
    }),
  )
})
