import { expect, test } from 'vitest'
import { readFrameConfig } from './config.ts'

const jwk = { kty: 'EC', crv: 'P-256', x: 'x', y: 'y', kid: 'k', alg: 'ECDH-ES' }
const whom = { id: 'f1', origin: 'https://shop.example', key: 'test_pk_1', session: 's1' }
const config = { v: 1, ...whom, jwk, now: 1_893_456_000_000 }

test('the key is read without the members that WebCrypto does not expect', () => {
  expect(readFrameConfig(JSON.stringify(config)).jwk).toEqual({ kty: 'EC', crv: 'P-256', x: 'x', y: 'y', kid: 'k' })
})

test.each([
  { ...config, v: 2 },
  { ...config, origin: null },
  { ...config, session: undefined },
  { ...config, now: undefined },
  { ...config, jwk: { ...jwk, crv: 'P-384' } },
])('a document with another configuration stays silent: %j', (wrong) => {
  expect(() => readFrameConfig(JSON.stringify(wrong))).toThrow('no configuration')
})
