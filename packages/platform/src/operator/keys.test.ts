import { expect, test } from 'vitest'
import { checkOrigins } from './keys.ts'

test('an origin is kept as browsers send it, each once', () => {
  const sent = ['https://Shop.Example', 'https://shop.example:443/', 'https://shop.example:8443']
  expect(checkOrigins(sent, 'production')).toEqual(['https://shop.example', 'https://shop.example:8443'])
  expect(checkOrigins(['http://localhost:4410'], 'local')).toEqual(['http://localhost:4410'])
})

test('outside of production every port of this machine can be meant', () => {
  expect(checkOrigins(['http://localhost:*', 'https://127.0.0.1:*'], 'development')).toEqual([
    'http://localhost:*',
    'https://127.0.0.1:*',
  ])
  for (const origin of ['http://localhost:*', 'https://localhost:*']) {
    expect(() => checkOrigins([origin], 'production')).toThrow(`--origin: '${origin}'`)
  }
  expect(() => checkOrigins(['http://shop.example:*'], 'local')).toThrow('--origin:')
})

test.for([
  'shop.example',
  'https://shop.example/checkout',
  'https://shop.example?a',
  'https://u:p@shop.example',
  'http://shop.example',
  'null',
  '*',
  'file:///x',
])('%s is no origin of a production page', (origin) => {
  expect(() => checkOrigins([origin], 'production')).toThrow(`--origin: '${origin}'`)
})

test('none, and more than fifty, are refused', () => {
  expect(() => checkOrigins([], 'local')).toThrow('--origin: name')
  const many = Array.from({ length: 51 }, (_, n) => `https://${n}.example`)
  expect(() => checkOrigins(many, 'production')).toThrow('--origin: a key is for 50')
})
