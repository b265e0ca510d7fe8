import { compactDecrypt, decodeProtectedHeader, type importJWK } from 'jose'
import { z } from 'zod'
import { ApiError } from '../ambient/api-error.ts'

/** A private key, ready for use. */
export type PrivateKey = Awaited<ReturnType<typeof importJWK>>

/**
 * The id of the key that a message names; whether it was really made with that key is seen when it is opened.
 *
 * @throws {ApiError} `token_invalid` when the header is not exactly the one that card frames write.
 */
export function keyIdOf(jwe: string): string {
  const header = frameHeader.safeParse(headerOf(jwe))
  if (!header.success) throw unreadable()
  return header.data.kid
}

/**
 * Decrypts a message whose header `keyIdOf` has read, and reads it as JSON.
 *
 * @throws {ApiError} `token_invalid`. It carries no cause: what the message held must not reach a log.
 */
export async function decryptJwe(jwe: string, key: PrivateKey): Promise<unknown> {
  try {
    const { plaintext } = await compactDecrypt(jwe, key, {
      keyManagementAlgorithms: ['ECDH-ES'],
      contentEncryptionAlgorithms: ['A256GCM'],
      maxDecompressedLength: 0, // No frame compresses, and how well a secret compresses tells of it.
    })
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(plaintext))
  } catch {
    // Whatever an altered message trips over, it is the message that is wrong; the cause could quote what it held.
    throw unreadable()
  }
}

const coordinate = z.string().regex(/^[A-Za-z0-9_-]{43}$/)

/**
 * These members and no others: a header that asks for compression (`zip`), for rules of its own (`crit`), for keys from
 * elsewhere (`jku`, `jwk`, `x5u`, `x5c`) or for other key material (`apu`, `apv`) was not written by a frame.
 */
const frameHeader = z.strictObject({
  alg: z.literal('ECDH-ES'),
  enc: z.literal('A256GCM'),
  kid: coordinate, // a thumbprint is as long as a coordinate
  epk: z.strictObject({ kty: z.literal('EC'), crv: z.literal('P-256'), x: coordinate, y: coordinate }),
})

function headerOf(jwe: string): unknown {
  try {
    return decodeProtectedHeader(jwe)
  } catch {
    return undefined // which fits no schema
  }
}

function unreadable(): ApiError {
  return new ApiError(
    'token_invalid',
    'The encrypted card cannot be read: it must be a compact JWE with ECDH-ES and A256GCM.',
  )
}
