import { expect, test } from 'vitest'
import { sharedPlatform } from '../../../test/test-platform.ts'

const platform = sharedPlatform()
const STORES = '/api/public/v1/stores/create'
const NUMBER = '4242424242424242'

test.for([
  ['as text', { name: NUMBER }],
  ['as a number', { name: 'Shop', x: Number(NUMBER) }],
  ['in groups', { name: 'Card 4242 4242 4242 4242.' }],
  ['with dashes', { name: '4242-4242-4242-4242' }],
  ['as a name', { name: 'Shop', [NUMBER]: 1 }],
  ['deep inside', { name: 'Shop', x: [{ y: [NUMBER] }] }],
  ['with its digits escaped', `{"name":"${[...NUMBER].map((digit) => `\\u003${digit}`).join('')}"}`],
  ['behind an escaped line break', { name: `Card:\n${NUMBER}` }],
] as const)('a card number %s is refused, repeated nowhere and kept nowhere', async ([what, body]) => {
  const { request, logged, services } = platform()
  const headers = { 'Idempotency-Key': `${NUMBER}-${what.replaceAll(' ', '-')}` }
  const answer = await request('POST', STORES, { body, headers })
  expect(answer.status).toBe(400)
  expect(answer.error.code).toBe('parameter_invalid')
  expect(answer.text + logged.join()).not.toContain(NUMBER)
  const kept = await Promise.all(
    ['stores', 'idempotency_keys', 'events'].map((table) => services.db.read(`SELECT * FROM ${table}`, [])),
  )
  expect(JSON.stringify(kept)).not.toContain(NUMBER)
})

test.for([
  ['path', `/api/public/v1/products/${NUMBER}`],
  ['query', `/api/public/v1/auth/test?card=${NUMBER}`],
  ['query, encoded', '/api/public/v1/auth/test?card=%34242%204242+42424242'],
  ['path that there is not', `/cards/${NUMBER}`],
])('a card number in the %s is refused or not found, and repeated nowhere', async ([, path = '']) => {
  const { request, logged } = platform()
  const answer = await request('GET', path)
  expect(answer.status).toBeGreaterThanOrEqual(400)
  expect(answer.text + logged.join()).not.toContain('42424242')
})

test.for([
  ['the greatest amount', { name: 'Shop', x: 2 ** 53 - 1 }],
  ['a time in milliseconds', { name: 'Shop', x: Date.UTC(2030, 0, 1) }],
  ['an id of ours', { name: 'Shop', x: 'store_0XKn6PfE0mYb9e8NYX6hMG' }],
  ['an order number', { name: 'Order 2030-000123456789' }],
  ['a telephone number', { name: '+49 30 901820' }],
] as const)('%s is not taken for a card number', async ([, body]) => {
  expect((await platform().request('POST', STORES, { body })).status).toBe(201)
})
