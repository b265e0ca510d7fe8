import { expect, test } from 'vitest'
import { directoryUrls } from './threeds.ts'

test('a directory server applies to all networks, or to one', () => {
  expect(directoryUrls(['https://ds.example/?a=b', 'visa=https://visa.example/'])).toEqual({
    url: 'https://ds.example/?a=b',
    networkUrls: { visa: 'https://visa.example/' },
  })
  expect(directoryUrls(['amex=https://amex.example/'])).toEqual({
    url: null,
    networkUrls: { amex: 'https://amex.example/' },
  })
})

test.for([
  [['constructor=https://x.example'], "'constructor' must be one of: visa"],
  [['visa=https://x.example', 'visa=https://y.example'], "'visa' is given twice"],
  [['https://x.example', 'https://y.example'], 'pass it once'],
] as const)('%j is refused: %s', ([texts, message]) => {
  expect(() => directoryUrls(texts)).toThrow(message)
})
