import type { IncomingMessage } from 'node:http'
import { expect, test } from 'vitest'
import { clientAddress } from './client-address.ts'

const https = { 'x-forwarded-proto': 'https' }

/** As much of a request as tells where it comes from. */
function request(remoteAddress: string, headers: Record<string, string> = {}): IncomingMessage {
  return { socket: { remoteAddress }, headers } as unknown as IncomingMessage // nothing else is read
}

test('without proxies the address is that of the connection, whatever the headers say', () => {
  expect(clientAddress(request('203.0.113.7', { 'x-forwarded-for': '198.51.100.1' }), null)).toBe('203.0.113.7')
  expect(clientAddress(request('::ffff:127.0.0.1'), null)).toBe('127.0.0.1')
})

test('behind a trusted proxy it is what the proxy wrote last; what stands before is the client’s word', () => {
  const headers = { ...https, 'x-forwarded-for': '1.1.1.1, 198.51.100.1' }
  expect(clientAddress(request('::ffff:10.0.0.5', headers), new Set(['10.0.0.5']))).toBe('198.51.100.1')
  expect(clientAddress(request('10.0.0.5', https), new Set(['10.0.0.5']))).toBe('10.0.0.5')
})

test.for([
  ['198.51.100.1:5555', '198.51.100.1'],
  ['[2001:db8::1]:5555', '2001:db8::1'],
  ['[2001:db8::1]', '2001:db8::1'],
  ['2001:0db8:0::0001', '2001:db8::1'],
  ['::ffff:198.51.100.1', '198.51.100.1'],
])('the proxy may write %s, and the address is %s', ([written, address]) => {
  const headers = { ...https, 'x-forwarded-for': `1.1.1.1, ${written}` }
  expect(clientAddress(request('10.0.0.5', headers), new Set(['10.0.0.5']))).toBe(address)
})

test.for(['unknown', '_a1b2', '1.2.3.4:http', '1.2.3', '<script>', '1.2.3.4, 2001:db8::1::'])(
  'the text %j in place of an address is refused',
  (written) => {
    const headers = { ...https, 'x-forwarded-for': written }
    expect(() => clientAddress(request('10.0.0.5', headers), new Set(['10.0.0.5']))).toThrow(/IP address/)
  },
)

test.for([
  ['from somewhere else', '10.0.0.6', https],
  ['over plain HTTP', '10.0.0.5', { 'x-forwarded-proto': 'http' }],
  ['over plain HTTP at the last proxy', '10.0.0.5', { 'x-forwarded-proto': 'https, http' }],
  ['without a word on the protocol', '10.0.0.5', {}],
] as const)('behind proxies a request %s is refused', ([, address, headers]) => {
  expect(() => clientAddress(request(address, headers), new Set(['10.0.0.5']))).toThrow(/HTTPS/)
})
