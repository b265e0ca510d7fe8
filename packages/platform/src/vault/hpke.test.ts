import { expect, test } from 'vitest'
import { keyPairOf, newKeyPair, openFrom, sealTo } from './hpke.ts'

const hex = (text: string) => Buffer.from(text, 'hex')

test('the example of RFC 9180, A.1.2 opens', () => {
  const recipient = keyPairOf(
    hex('9fed7e8c17387560e92cc6462a68049657246a09bfa8ade7aefe589672016366'),
    hex('c5eb01eb457fe6c6f57577c5413b931550a162c71a03ac8d196babbd4e5ce0fd'),
  )
  const enc = '0ad0950d9fb9588e59690b74f1237ecdf1d775cd60be2eca57af5a4b0471c91b'
  const ct = 'e52c6fed7f758d0cf7145689f21bc1be6ec9ea097fef4e959440012f4feb73fb611b946199e681f4cfc34db8ea'
  const opened = openFrom(hex(enc + ct), recipient, {
    cipher: 'aes-128-gcm',
    info: 'Ode on a Grecian Urn',
    bound: 'Count-0',
    psk: hex('0247fd33b913760fa1fa51e1892d9f307fbe65eb171e8132c2af18555a738b82'),
    pskId: 'Ennyn Durin aran Moria',
  })
  expect(opened.toString()).toBe('Beauty is truth, truth beauty')
})

const agreed = { info: 'test', bound: 'row 1', psk: Buffer.alloc(32, 7), pskId: 'shared' }

test('what is sealed to a key is opened by its holder, and is another text each time', () => {
  const recipient = newKeyPair()
  const [one, two] = [
    sealTo(recipient.publicKey, hex('00ff'), agreed),
    sealTo(recipient.publicKey, hex('00ff'), agreed),
  ]
  expect(one.equals(two)).toBe(false)
  expect([openFrom(one, recipient, agreed), openFrom(two, recipient, agreed)]).toEqual([hex('00ff'), hex('00ff')])
})

test.for([
  ['another purpose', { info: 'other' }],
  ['another row', { bound: 'row 2' }],
  ['another secret', { psk: Buffer.alloc(32, 8) }],
  ['another name of the secret', { pskId: 'other' }],
] as const)('a message for %s does not open', ([, change]) => {
  const recipient = newKeyPair()
  const sealed = sealTo(recipient.publicKey, hex('00ff'), { ...agreed, ...change })
  expect(() => openFrom(sealed, recipient, agreed)).toThrow('authenticate')
})

test('no other key opens a message, and no altered one opens', () => {
  const recipient = newKeyPair()
  const sealed = sealTo(recipient.publicKey, hex('00ff'), agreed)
  expect(() => openFrom(sealed, newKeyPair(), agreed)).toThrow('authenticate')
  for (const at of [0, 31, 32, sealed.length - 1]) {
    const altered = Buffer.from(sealed)
    altered[at] = (altered[at] ?? 0) ^ 1
    expect(() => openFrom(altered, recipient, agreed)).toThrow()
  }
})

test('a public key of low order is refused', () => {
  expect(() => sealTo(Buffer.alloc(32), hex('00ff'), agreed)).toThrow()
})
