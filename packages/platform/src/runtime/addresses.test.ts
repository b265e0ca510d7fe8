import { expect, test } from 'vitest'
import { addressBlock, allowsOrigin, readAddress } from './addresses.ts'

test.each([
  ['203.0.113.7', '203.0.113.7'],
  ['203.0.113.7:5555', '203.0.113.7'],
  ['[2001:db8::1]:5555', '2001:db8::1'],
  ['[2001:db8::1]', '2001:db8::1'],
  ['2001:0DB8:0:0::0001', '2001:db8::1'],
  ['::ffff:203.0.113.7', '203.0.113.7'],
  ['::FFFF:CB00:7107', '203.0.113.7'],
  ['[::ffff:203.0.113.7]:80', '203.0.113.7'],
  ['fe80::1%eth0', 'fe80::1'],
])('%s names the address %s', (text, address) => {
  expect(readAddress(text)).toBe(address)
})

test.each([
  '',
  'unknown',
  '_hidden',
  'example.com',
  '203.0.113',
  '203.0.113.7:',
  '203.0.113.7:http',
  '203.0.113.7:123456',
  '203.0.113.256:80',
  '[203.0.113.7',
  '2001:db8:1:2:3:4:5:6:5555',
  '1.2.3.4 5.6.7.8',
  "'; DROP TABLE",
])('%j names no address', (text) => {
  expect(readAddress(text)).toBeNull()
})

test.each([
  ['203.0.113.7', '203.0.113.7'],
  ['::ffff:203.0.113.7', '203.0.113.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:DB8:1:2::', '2001:db8:1:2::/64'],
  ['2001:0db8:0001:0002::9', '2001:db8:1:2::/64'],
  ['2001:db8::9', '2001:db8:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
  ['', ''],
])('the address %s counts as %s', (address, block) => {
  expect(addressBlock(address)).toBe(block)
})

test('the wider blocks of an address hold its neighbours', () => {
  expect(addressBlock('2001:db8:1:2fab::1', 56)).toBe('2001:db8:1:2f00::/56')
  expect(addressBlock('2001:db8:1:2f01::1', 56)).toBe('2001:db8:1:2f00::/56')
  expect(addressBlock('2001:db8:1:3000::1', 56)).toBe('2001:db8:1:3000::/56')
  expect(addressBlock('2001:db8:1:ffff::1', 48)).toBe('2001:db8:1::/48')
  expect(addressBlock('203.0.113.7', 48)).toBe('203.0.113.7')
})

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
