import { createHash, randomBytes } from 'node:crypto'
import { OperatorError } from '../runtime/index.ts'
import { readPrivateFile, writePrivateFile } from './key-files.ts'

const KEY_BYTES = 32
const SHARES_MAX = 8

/** `tillwright-share:1:number:of:set:base64:checksum`. */
const PATTERN = /^tillwright-share:1:(\d):(\d):([0-9a-f]{8}):([A-Za-z0-9+/]{43}=):([0-9a-f]{8})$/

interface Share {
  number: number
  of: number
  /** The beginning of the key's SHA-256: shares of one key have the same. */
  keyId: string
  bytes: Buffer
}

/**
 * Splits a key among custodians: all shares together give the key, and any fewer say nothing about it, because all but
 * one are random and the last is their XOR with the key. Source: NIST SP 800-57 part 1, split knowledge.
 *
 * @returns A text for each custodian, with a checksum that names a share that was copied wrongly.
 */
export function splitKey(key: Uint8Array, count: number): string[] {
  if (key.length !== KEY_BYTES) throw new RangeError('A key has 32 bytes.')
  if (count < 2 || count > SHARES_MAX) throw new OperatorError(`A key has from 2 to ${SHARES_MAX} shares.`)
  const random = Array.from({ length: count - 1 }, () => randomBytes(KEY_BYTES))
  return [...random, random.reduce<Buffer>(xor, Buffer.from(key))].map((bytes, index) =>
    shareText({ number: index + 1, of: count, keyId: idOf(key), bytes }),
  )
}

/** Writes each share to a file of its own that only its owner can read. No file is overwritten. */
export async function writeShares(shares: readonly string[], paths: readonly string[]): Promise<void> {
  for (const [index, path] of paths.entries()) {
    await writePrivateFile(path, `${shares[index]}\n`)
  }
}

/**
 * Puts a key together from the files of its custodians.
 *
 * @throws {OperatorError} Names the file that is wrong, missing, or of another key.
 */
export async function combineShares(paths: readonly string[]): Promise<Buffer> {
  const shares: Share[] = []
  for (const path of paths) shares.push(readShare(await readPrivateFile(path), path))
  const [first] = shares
  if (first === undefined) throw new OperatorError('a key is put together from its shares; name their files.')
  for (const [index, share] of shares.entries()) {
    if (share.keyId !== first.keyId || share.of !== first.of)
      throw new OperatorError(
        `${paths[index]} is a share of another key than ${paths[0]}; use the shares of one split.`,
      )
    if (shares.findIndex(({ number }) => number === share.number) !== index)
      throw new OperatorError(`${paths[index]} is share ${share.number} once more; each custodian has another one.`)
  }
  if (shares.length !== first.of) {
    const missing = Array.from({ length: first.of }, (_, index) => index + 1).filter(
      (number) => !shares.some((share) => share.number === number),
    )
    throw new OperatorError(`the key has ${first.of} shares, and number ${missing.join(', ')} is missing.`)
  }
  const key = shares.map(({ bytes }) => bytes).reduce(xor)
  if (idOf(key) === first.keyId) return key
  throw new OperatorError('the shares do not fit together: they come from different splits; use those of one.')
}

function readShare(text: string, path: string): Share {
  const [, number, of, keyId = '', base64 = '', checksum] = PATTERN.exec(text.trim()) ?? []
  const share = { number: Number(number), of: Number(of), keyId, bytes: Buffer.from(base64, 'base64') }
  if (base64 === '')
    throw new OperatorError(`${path} is not a share; it must hold one line as "tillwright keys split" has written it.`)
  if (checksumOf(share) !== checksum)
    throw new OperatorError(`${path} was copied wrongly: its checksum does not fit; compare it with the original.`)
  return share
}

function shareText(share: Share): string {
  const { number, of, keyId, bytes } = share
  return `tillwright-share:1:${number}:${of}:${keyId}:${bytes.toString('base64')}:${checksumOf(share)}`
}

/** Detects typing errors; deliberate changes of a share are detected by the key's own id. */
function checksumOf({ number, of, keyId, bytes }: Share): string {
  return createHash('sha256').update(`${number} ${of} ${keyId} `).update(bytes).digest('hex').slice(0, 8)
}

function idOf(key: Uint8Array): string {
  return createHash('sha256').update(key).digest('hex').slice(0, 8)
}

function xor(one: Buffer, other: Buffer): Buffer {
  return Buffer.from(one.map((byte, index) => byte ^ (other[index] ?? 0)))
}
