import { expect, test } from 'vitest'
import { directoryUrls } from './threeds.ts'

test('a directory server is for all networks, or for one', () => {
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
  [['visa=https://x.example', 'visa=https://y.example'], "'visa' is named twice"],
  [['https://x.example', 'https://y.example'], 'name it once'],
] as const)('%j is refused: %s', ([texts, message]) => {
  expect(() => directoryUrls(texts)).toThrow(message)
})
