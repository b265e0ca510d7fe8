import { expect, test } from 'vitest'
import { checkAllowedOrigins } from './manage-keys.ts'

test('an origin is kept as browsers send it, each once', () => {
  const sent = ['https://Shop.Example', 'https://shop.example:443/', 'https://shop.example:8443']
  expect(checkAllowedOrigins(sent, 'production')).toEqual(['https://shop.example', 'https://shop.example:8443'])
  expect(checkAllowedOrigins(['http://localhost:4410'], 'local')).toEqual(['http://localhost:4410'])
})

test('outside of production every port of this machine can be meant', () => {
  expect(checkAllowedOrigins(['http://localhost:*', 'https://127.0.0.1:*'], 'development')).toEqual([
    'http://localhost:*',
    'https://127.0.0.1:*',
  ])
  for (const origin of ['http://localhost:*', 'https://localhost:*']) {
    expect(() => checkAllowedOrigins([origin], 'production')).toThrow(`'${origin}'`)
  }
  expect(() => checkAllowedOrigins(['http://shop.example:*'], 'local')).toThrow('is not an origin')
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
  expect(() => checkAllowedOrigins([origin], 'production')).toThrow(`'${origin}'`)
})

test('none, and more than fifty, are refused', () => {
  expect(() => checkAllowedOrigins([], 'local')).toThrow('name the pages')
  const many = Array.from({ length: 51 }, (_, n) => `https://${n}.example`)
  expect(() => checkAllowedOrigins(many, 'production')).toThrow('a key is for 50')
})
