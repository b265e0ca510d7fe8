import { CompactEncrypt, importJWK } from 'jose'
import type { PublicJwk } from '../../src/vault/jwe.ts'
import { SHOP_ORIGIN } from './open-vault.ts'

/** Card that a frame encrypts with its session, unless a test overrides fields. */
export const testCard = {
  number: '4242424242424242',
  expMonth: 12,
  expYear: 2030,
  cvc: '123',
  iat: Date.UTC(2030, 0, 1) / 1_000,
  jti: 'AAAAAAAAAAAAAAAAAAAAAA',
  origin: SHOP_ORIGIN,
}

/** Encrypts a card as a card frame does. */
export async function encryptCard(
  jwk: PublicJwk,
  change: Partial<typeof testCard> & { name?: string; network?: string; session?: string } = {},
): Promise<string> {
  const plaintext = new TextEncoder().encode(JSON.stringify({ ...testCard, ...change }))
  const header = { alg: 'ECDH-ES', enc: 'A256GCM', kid: jwk.kid }
  return new CompactEncrypt(plaintext).setProtectedHeader(header).encrypt(await importJWK({ ...jwk }, 'ECDH-ES'))
}
