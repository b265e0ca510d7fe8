import { expect, test } from 'vitest'
import { allowsOrigin } from './addresses.ts'

test('an origin is allowed as it stands there, and no other', () => {
  const allowed = ['https://shop.example', 'http://localhost:4410']
  expect(allowsOrigin(allowed, 'https://shop.example')).toBe(true)
  for (const other of ['https://shop.example:8443', 'http://shop.example', 'http://localhost:4411', 'null', '*']) {
    expect(allowsOrigin(allowed, other), other).toBe(false)
  }
})

test('every port of the machine itself may be meant, of no other host', () => {
  const allowed = ['http://localhost:*']
  for (const own of ['http://localhost:5173', 'http://localhost', 'http://localhost:80']) {
    expect(allowsOrigin(allowed, own), own).toBe(true)
  }
  const others = [
    'https://localhost:5173',
    'http://localhost.evil.example',
    'http://localhost:5173.evil.example',
    'http://localhost@evil.example',
    'http://app.localhost:5173',
    'http://localhost:123456',
  ]
  for (const other of others) expect(allowsOrigin(allowed, other), other).toBe(false)
})

test('no wildcard of another kind stands for anything', () => {
  for (const allowed of ['*', 'http://*', 'https://*.example', 'http://example:*', 'http://localhost:5*']) {
    expect(allowsOrigin([allowed], 'http://localhost:5173'), allowed).toBe(false)
    expect(allowsOrigin([allowed], 'http://example:80'), allowed).toBe(false)
  }
})
