import { expect, test } from 'vitest'
import { pickWindowSize } from './frame.ts'

test('a telephone gives the bank its whole window, everything wider 500 by 600 pixels', () => {
  expect([320, 390, 539].map(pickWindowSize)).toEqual(['05', '05', '05'])
  expect([540, 768, 1_280].map(pickWindowSize)).toEqual(['03', '03', '03'])
})
