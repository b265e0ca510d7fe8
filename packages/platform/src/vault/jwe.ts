import { createECDH } from 'node:crypto'
import { calculateJwkThumbprint, compactDecrypt, decodeProtectedHeader, importJWK } from 'jose'
import { z } from 'zod'
import type { Services } from '../request-context.ts'
import { ApiError, type Randomness } from '../runtime/index.ts'
import { nullable, pick, rowReader, type Statement } from '../storage/index.ts'
import type { CardKeys } from './card-vault.ts'
import { vaultKeysTable } from './tables.ts'

/** After what time a new key takes over, unless the operator says otherwise. */
const JWE_KEY_AGE_MS = 90 * 24 * 60 * 60 * 1_000

/** How long messages to the former key are read after that: a form that was open when it happened can still be sent. */
const JWE_KEY_GRACE_MS = 24 * 60 * 60 * 1_000

/** How long the list of keys is trusted: a key that another process has made is given to frames within this time. */
const LIST_TRUST_MS = 60_000

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
  /** The key for a new frame. Where the newest is too old, a new one is made first. */
  publicJwk(): Promise<PublicJwk>
  /**
   * Decrypts a compact JWE and reads it as JSON.
   *
   * @throws {ApiError} `token_invalid` for everything but ECDH-ES with A256GCM to a key of ours that is still good. It
   *   carries no cause: what the message held must not reach a log.
   */
  decrypt(jwe: string): Promise<unknown>
}

/** When the newest key of card frames was made, in Unix milliseconds; `null` before the first. */
export async function newestJweKeyMs(db: Services['db']): Promise<number | null> {
  const [row] = readNewest(await db.read('SELECT max(created_at) AS newest FROM vault_keys', []))
  return row?.newest ?? null
}

const readNewest = rowReader({ newest: nullable(vaultKeysTable.created_at) })

type KeyParts = Pick<Services, 'db' | 'clock' | 'randomness'> & CardKeys

/**
 * Loads the keys, encrypted under the card key, and creates the first if there is none. Keys rotate
 * automatically, and every process of a deployment sees the keys of the others.
 *
 * @param maxAgeMs Age after which a new key takes over, in milliseconds.
 */
export async function openJweKeys(services: KeyParts, maxAgeMs: number = JWE_KEY_AGE_MS): Promise<JweKeys> {
  const { clock } = services
  const opened = new Map<string, PrivateKey>()
  let list = await readKeys(services)
  let renewing: Promise<void> | null = null

  async function reread(): Promise<void> {
    list = await readKeys(services)
    for (const kid of opened.keys()) if (!isGood(kid, list, clock.now())) opened.delete(kid)
  }

  async function renew(): Promise<void> {
    await reread()
    if (isDue(list, maxAgeMs, clock.now())) {
      await addJweKey(services)
      await reread()
    }
  }

  /** Many frames at once wait for one renewal. */
  function renewed(): Promise<void> {
    renewing ??= renew().finally(() => (renewing = null))
    return renewing
  }

  async function privateKey(kid: string): Promise<PrivateKey> {
    if (!isGood(kid, list, clock.now())) await reread() // it may be another process's newest
    if (!isGood(kid, list, clock.now())) throw outdated()
    const key = opened.get(kid) ?? (await readPrivateKey(kid, services))
    if (key === null) throw outdated()
    opened.set(kid, key)
    return key
  }

  const keys: JweKeys = {
    async publicJwk() {
      const nowMs = clock.now()
      if (nowMs >= list.readAtMs + LIST_TRUST_MS || isDue(list, maxAgeMs, nowMs)) await renewed()
      const newest = list.keys.at(-1)
      if (newest === undefined) throw new Error('The key that card frames encrypt to was written and is not there.')
      return newest.jwk
    },
    async decrypt(jwe) {
      return decryptJwe(jwe, await privateKey(keyIdOf(jwe)))
    },
  }
  await keys.publicJwk()
  return keys
}

/** Creates a key that takes over from the newest one. If two processes do so at once, both keys are valid. */
export async function addJweKey({ db, clock, randomness, cardKeys }: KeyParts): Promise<void> {
  for (;;) {
    const { d, ...point } = newJweKeyPair(randomness)
    const jwk: PublicJwk = { ...point, kid: await calculateJwkThumbprint(point), alg: 'ECDH-ES' }
    const sealed = cardKeys.seal('vault jwe key', Buffer.from(JSON.stringify({ ...jwk, d })), jwk.kid)
    const params = [jwk.kid, JSON.stringify(jwk), sealed, clock.now()]
    const { outcome } = await db.write([{ sql: insertKey, params }])
    if (outcome === 'committed') return
    // A platform that was started with a seed draws its first key once more after a restart; the next draw is new.
  }
}

/** Deletes the keys whose time is over, so that what was recorded on its way to them can never be read again. */
export function forgetFormerJweKeys(nowMs: number): Statement {
  return { sql: deleteFormer, params: [nowMs - JWE_KEY_GRACE_MS] }
}

const insertKey = `INSERT INTO vault_keys (id, public_jwk, sealed_private_jwk, created_at)
  VALUES (?, ?, ?, ?)`

const deleteFormer = `DELETE FROM vault_keys WHERE EXISTS (
  SELECT 1 FROM vault_keys newer WHERE newer.created_at > vault_keys.created_at AND newer.created_at <= ?)`

/** The keys of the database at one moment, the oldest first. */
interface KeyList {
  keys: readonly { jwk: PublicJwk; createdAtMs: number }[]
  readAtMs: number
}

const publicJwk = z.object({
  kty: z.literal('EC'),
  crv: z.literal('P-256'),
  x: z.string(),
  y: z.string(),
  kid: z.string(),
  alg: z.literal('ECDH-ES'),
})
const privateJwk = publicJwk.extend({ d: z.string() })
const readPublicKeys = rowReader(pick(vaultKeysTable, 'public_jwk', 'created_at'))

async function readKeys({ db, clock }: Pick<KeyParts, 'db' | 'clock'>): Promise<KeyList> {
  const readAtMs = clock.now()
  const sql = 'SELECT public_jwk, created_at FROM vault_keys ORDER BY created_at, id'
  const rows = readPublicKeys(await db.read(sql, []))
  const keys = rows.map((row) => ({ jwk: publicJwk.parse(row.public_jwk), createdAtMs: row.created_at }))
  return { keys, readAtMs }
}

/** A key is good until a while after another one took over. */
function isGood(kid: string, { keys }: KeyList, nowMs: number): boolean {
  const key = keys.find(({ jwk }) => jwk.kid === kid)
  if (key === undefined) return false
  const next = keys.find(({ createdAtMs }) => createdAtMs > key.createdAtMs)
  return next === undefined || nowMs < next.createdAtMs + JWE_KEY_GRACE_MS
}

function isDue({ keys }: KeyList, maxAgeMs: number, nowMs: number): boolean {
  const newest = keys.at(-1)
  return newest === undefined || nowMs >= newest.createdAtMs + maxAgeMs
}

async function readPrivateKey(
  kid: string,
  { db, cardKeys }: Pick<KeyParts, 'db' | 'cardKeys'>,
): Promise<PrivateKey | null> {
  const sql = 'SELECT sealed_private_jwk FROM vault_keys WHERE id = ?'
  const [row] = readPrivateKeys(await db.read(sql, [kid]))
  if (row === undefined) return null
  const jwk = cardKeys.open('vault jwe key', row.sealed_private_jwk, kid)
  return importJWK(privateJwk.parse(JSON.parse(Buffer.from(jwk).toString())))
}

const readPrivateKeys = rowReader(pick(vaultKeysTable, 'sealed_private_jwk'))

function outdated(): ApiError {
  return new ApiError('token_invalid', 'The card form is out of date; load the page again.')
}

/** A private key, ready for use. */
type PrivateKey = Awaited<ReturnType<typeof importJWK>>

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
      maxDecompressedLength: 0, // No frame compresses, and compressibility leaks information about a secret.
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

/** A key pair on P-256 as a JWK: the point, and in `d` the private half. Source: RFC 7518, 6.2. */
export interface JweKeyPair {
  kty: 'EC'
  crv: 'P-256'
  x: string
  y: string
  d: string
}

/**
 * Creates a key pair from the platform's own randomness, so that a seed reproduces it. Source: FIPS 186-5, A.2.2, key
 * pairs by rejection sampling.
 */
function newJweKeyPair(randomness: Randomness): JweKeyPair {
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
