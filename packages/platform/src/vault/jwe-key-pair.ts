import { createECDH } from 'node:crypto'
import type { Randomness } from '../ambient/randomness.ts'

/** A key pair on P-256 as a JWK: the point, and in `d` the private half. Source: RFC 7518, 6.2. */
export interface JweKeyPair {
  kty: 'EC'
  crv: 'P-256'
  x: string
  y: string
  d: string
}

/**
 * Makes a key pair. Its randomness is the platform's own, so that one seed repeats it.
 * Source: FIPS 186-5, A.2.2, key pairs by rejection sampling.
 */
export function newJweKeyPair(randomness: Randomness): JweKeyPair {
  const ecdh = createECDH('prime256v1')
  let d = randomness.bytes(32)
  while (!isScalar(d)) d = randomness.bytes(32)
  ecdh.setPrivateKey(d)
  const point = ecdh.getPublicKey() // 4, x, y
  return {
    kty: 'EC',
    crv: 'P-256',
    x: base64url(point.subarray(1, 33)),
    y: base64url(point.subarray(33)),
    d: base64url(d),
  }
}

/** The order of P-256. Source: FIPS 186-5, SP 800-186, 3.2.1.3. */
const ORDER = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n

function isScalar(bytes: Uint8Array): boolean {
  const scalar = BigInt(`0x${Buffer.from(bytes).toString('hex')}`)
  return scalar > 0n && scalar < ORDER
}

function base64url(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64url')
}
