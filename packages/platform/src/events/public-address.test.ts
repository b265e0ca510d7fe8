import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isPublicAddress } from './public-address.ts'

test.each([
  '0.0.0.0',
  '10.1.2.3',
  '100.64.0.1',
  '100.100.100.200',
  '127.0.0.1',
  '127.255.255.254',
  '168.63.129.16',
  '169.254.169.254',
  '172.16.0.1',
  '172.31.255.255',
  '192.0.0.192',
  '192.168.1.1',
  '198.18.0.1',
  '198.51.100.7',
  '203.0.113.9',
  '224.0.0.1',
  '239.255.255.255',
  '255.255.255.255',
  '::',
  '::1',
  '::ffff:127.0.0.1',
  '::ffff:10.0.0.1',
  '::ffff:a9fe:a9fe',
  '::ffff:8.8.8.8',
  '64:ff9b::7f00:1',
  '100::1',
  'fc00::1',
  'fd00:ec2::254',
  'fe80::1',
  'fec0::1',
  'ff02::1',
  '2001::1',
  '2001:db8::1',
  '2002:7f00:1::',
  '3fff::1',
  '2606:4700::1%eth0',
  'localhost',
  '',
])('%s is not public', (address) => {
  expect(isPublicAddress(address)).toBe(false)
})

test.each([
  '1.1.1.1',
  '8.8.8.8',
  '100.63.255.255',
  '100.128.0.0',
  '126.255.255.255',
  '128.0.0.0',
  '172.15.255.255',
  '172.32.0.0',
  '192.167.255.255',
  '223.255.255.255',
  '2606:4700:4700::1111',
  '2a00:1450:4001::200e',
])('%s is public', (address) => {
  expect(isPublicAddress(address)).toBe(true)
})

const byte = fc.integer({ min: 0, max: 255 })
const within = {
  '10.0.0.0/8': fc.tuple(fc.constant(10), byte, byte, byte),
  '100.64.0.0/10': fc.tuple(fc.constant(100), fc.integer({ min: 64, max: 127 }), byte, byte),
  '127.0.0.0/8': fc.tuple(fc.constant(127), byte, byte, byte),
  '169.254.0.0/16': fc.tuple(fc.constant(169), fc.constant(254), byte, byte),
  '172.16.0.0/12': fc.tuple(fc.constant(172), fc.integer({ min: 16, max: 31 }), byte, byte),
  '192.168.0.0/16': fc.tuple(fc.constant(192), fc.constant(168), byte, byte),
  '224.0.0.0/3': fc.tuple(fc.integer({ min: 224, max: 255 }), byte, byte, byte),
}

test.each(Object.entries(within))('nothing in %s is public, however it is written', (_network, addresses) => {
  fc.assert(
    fc.property(addresses, (bytes) => {
      const dotted = bytes.join('.')
      const [a, b, c, d] = bytes.map((part) => part.toString(16).padStart(2, '0'))
      const written = [
        dotted,
        `::ffff:${dotted}`,
        `::ffff:${a}${b}:${c}${d}`,
        `64:ff9b::${dotted}`,
        `2002:${a}${b}:${c}${d}::1`,
      ]
      expect(written.filter(isPublicAddress)).toEqual([])
    }),
  )
})

test('no IPv6 address outside global unicast is public', () => {
  const group = fc.integer({ min: 0, max: 0xffff })
  fc.assert(
    fc.property(fc.array(group, { minLength: 8, maxLength: 8 }), ([first = 0, ...rest]) => {
      fc.pre(first < 0x2000 || first > 0x3fff)
      expect(isPublicAddress([first, ...rest].map((part) => part.toString(16)).join(':'))).toBe(false)
    }),
  )
})
