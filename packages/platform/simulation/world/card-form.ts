import { createCipheriv, createECDH, createHash } from 'node:crypto'
import type { PublicJwk } from '../../src/vault/jwe.ts'
import type { Dice } from '../machine/dice.ts'
import { ASKED_CARD_NUMBER } from './authentication.ts'

/** The origin of the page with the card forms. */
export const SHOP_ORIGIN = 'https://shop.example'

/** The numbers of all cards of the world. They must be found only in the vault's sealed columns. */
export const CARD_NUMBERS = ['4242424242424242', ASKED_CARD_NUMBER] as const

/**
 * Encrypts a card as a card frame does, but synchronously: a browser would use another thread.
 *
 * Source: RFC 7518, 4.6 (ECDH-ES with the key agreed on used as it is) and 5.3 (A256GCM); RFC 7516, compact form.
 */
export function encryptCard(jwk: PublicJwk, { number, session, nowMs, dice }: Typing): string {
  const ephemeral = createECDH('prime256v1')
  ephemeral.setPrivateKey(Buffer.concat([Buffer.from([1]), dice.bytes(31)]))
  const point = ephemeral.getPublicKey()
  const epk = { kty: 'EC', crv: 'P-256', x: base64url(point.subarray(1, 33)), y: base64url(point.subarray(33)) }
  const header = base64url(JSON.stringify({ alg: 'ECDH-ES', enc: 'A256GCM', kid: jwk.kid, epk }))
  const theirs = Buffer.concat([Buffer.from([4]), Buffer.from(jwk.x, 'base64url'), Buffer.from(jwk.y, 'base64url')])
  const iv = dice.bytes(12)
  const cipher = createCipheriv('aes-256-gcm', agreedKey(ephemeral.computeSecret(theirs)), iv)
  cipher.setAAD(Buffer.from(header))
  const card = {
    number,
    expMonth: 12,
    expYear: 2040,
    cvc: '123',
    iat: Math.floor(nowMs / 1_000),
    jti: base64url(dice.bytes(16)),
    origin: SHOP_ORIGIN,
    session,
  }
  const sealed = Buffer.concat([cipher.update(JSON.stringify(card)), cipher.final()])
  return [header, '', base64url(iv), base64url(sealed), base64url(cipher.getAuthTag())].join('.')
}

/** The input to a card form. */
interface Typing {
  number: string
  /** The id of the frame's session. */
  session: string
  nowMs: number
  dice: Dice
}

/** Source: NIST SP 800-56A, 5.8.1, as RFC 7518, 4.6.2 has it. */
function agreedKey(secret: Buffer): Buffer {
  const enc = Buffer.from('A256GCM')
  const parts = [wordOf(1), secret, wordOf(enc.length), enc, wordOf(0), wordOf(0), wordOf(256)]
  return createHash('sha256').update(Buffer.concat(parts)).digest()
}

function wordOf(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value)
  return bytes
}

function base64url(bytes: Uint8Array | string): string {
  return Buffer.from(bytes).toString('base64url')
}
