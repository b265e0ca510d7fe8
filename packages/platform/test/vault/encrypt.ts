import { CompactEncrypt, importJWK } from 'jose'
import type { PublicJwk } from '../../src/vault/jwe.ts'

/** Encrypts any JSON to a key, with another implementation than the card frame's. */
export async function encrypt(json: string, jwk: PublicJwk): Promise<string> {
  const header = { alg: 'ECDH-ES', enc: 'A256GCM', kid: jwk.kid }
  return new CompactEncrypt(new TextEncoder().encode(json))
    .setProtectedHeader(header)
    .encrypt(await importJWK({ ...jwk }, 'ECDH-ES'))
}
