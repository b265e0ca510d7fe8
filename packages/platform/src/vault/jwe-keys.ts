import { createECDH } from 'node:crypto'
import { calculateJwkThumbprint, compactDecrypt, decodeProtectedHeader, importJWK } from 'jose'
import { z } from 'zod'
import { ApiError } from '../ambient/api-error.ts'
import type { Randomness } from '../ambient/randomness.ts'
import type { Parts } from '../call.ts'
import type { Row } from '../storage/database.ts'

/** The public half of a key, as card frames are given it. */
export interface PublicJwk {
  kty: 'EC'
  crv: 'P-256'
  x: string
  y: string
  /** The key's thumbprint. Source: RFC 7638. */
  kid: string
  alg: 'ECDH-ES'
}

/** The keys that card frames encrypt to. */
export interface JweKeys {
  /** The key for new frames: the newest there was at start. Older ones, and those of other processes, still decrypt. */
  readonly publicJwk: PublicJwk
  /**
   * Decrypts a compact JWE and reads it as JSON.
   *
   * @throws {ApiError} `token_invalid` for everything but ECDH-ES with A256GCM to a key of ours. It carries no cause:
   *   what the message held must not reach a log.
   */
  decrypt(jwe: string): Promise<unknown>
}

type KeyParts = Pick<Parts, 'db' | 'clock' | 'randomness' | 'secrets'>
type PrivateKey = Awaited<ReturnType<typeof importJWK>>

/** Reads the newest key, and makes the first one where there is none under the platform's master key. */
export async function openJweKeys(parts: KeyParts): Promise<JweKeys> {
  if ((await newestKey(parts)) === null) await addJweKey(parts)
  // Two processes that start at once may each make a key. Both keys stay, and `privateKey` finds the other's.
  const newest = await newestKey(parts)
  if (newest === null) throw new Error('The key that card frames encrypt to was written and is not there.')
  const opened = new Map<string, PrivateKey>()
  async function privateKey(kid: string): Promise<PrivateKey> {
    const key = opened.get(kid) ?? (await readPrivateKey(kid, parts))
    if (key === null) throw new ApiError('token_invalid', 'The card form is out of date; load the page again.')
    opened.set(kid, key)
    return key
  }
  return {
    publicJwk: newest,
    async decrypt(jwe) {
      return decryptJson(jwe, await privateKey(keyIdOf(jwe)))
    },
  }
}

/**
 * Makes a key, which processes started from now on give to their frames. Its randomness is the platform's own, so that
 * one seed repeats it. Source: FIPS 186-5, A.2.2, key pairs by rejection sampling.
 */
export async function addJweKey({ db, clock, randomness, secrets }: KeyParts): Promise<void> {
  const { d, ...point } = newKeyPair(randomness)
  const jwk: PublicJwk = { ...point, kid: await calculateJwkThumbprint(point), alg: 'ECDH-ES' }
  const sealed = secrets.seal('vault jwe key', Buffer.from(JSON.stringify({ ...jwk, d })), jwk.kid)
  // Refused only as a duplicate: another process with the same seed has made the same key.
  await db.write([{ sql: insertKey, params: [jwk.kid, JSON.stringify(jwk), secrets.keyId, sealed, clock.now()] }])
}

const insertKey = `INSERT INTO vault_keys (id, public_jwk, master_key_id, sealed_private_jwk, created_at)
  VALUES (?, ?, ?, ?, ?)`

const publicJwk = z.object({
  kty: z.literal('EC'),
  crv: z.literal('P-256'),
  x: z.string(),
  y: z.string(),
  kid: z.string(),
  alg: z.literal('ECDH-ES'),
})
const privateJwk = publicJwk.extend({ d: z.string() })

/** Keys under another master key stay shut: frames that hold them must be loaded again. */
async function newestKey({ db, secrets }: Pick<Parts, 'db' | 'secrets'>): Promise<PublicJwk | null> {
  const sql = 'SELECT public_jwk FROM vault_keys WHERE master_key_id = ? ORDER BY created_at DESC, id DESC LIMIT 1'
  const [row] = await db.read(sql, [secrets.keyId])
  return row === undefined ? null : publicJwk.parse(JSON.parse(text(row, 'public_jwk')))
}

async function readPrivateKey(kid: string, { db, secrets }: Pick<Parts, 'db' | 'secrets'>): Promise<PrivateKey | null> {
  const sql = 'SELECT sealed_private_jwk FROM vault_keys WHERE id = ? AND master_key_id = ?'
  const [row] = await db.read(sql, [kid, secrets.keyId])
  if (row === undefined) return null
  const opened = secrets.open('vault jwe key', text(row, 'sealed_private_jwk'), kid)
  return importJWK(privateJwk.parse(JSON.parse(Buffer.from(opened).toString())))
}

function text(row: Row, column: string): string {
  return z.string().parse(row[column])
}

function newKeyPair(randomness: Randomness): { kty: 'EC'; crv: 'P-256'; x: string; y: string; d: string } {
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

/** The key that a message names; whether it was really made with that key is seen when it is opened. */
function keyIdOf(jwe: string): string {
  try {
    const { kid } = decodeProtectedHeader(jwe)
    if (typeof kid === 'string' && /^[A-Za-z0-9_-]{43}$/.test(kid)) return kid
  } catch {
    // Refused below like a header without a key id.
  }
  throw unreadable()
}

async function decryptJson(jwe: string, key: PrivateKey): Promise<unknown> {
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

function unreadable(): ApiError {
  return new ApiError(
    'token_invalid',
    'The encrypted card cannot be read: it must be a compact JWE with ECDH-ES and A256GCM.',
  )
}
