import { createHash, hkdfSync, randomBytes } from 'node:crypto'
import { ConfigError, openWith, OperatorError, sealWith, weaknessOf } from '../runtime/index.ts'
import { awsKms, googleKms } from './cloud-kms.ts'
import { readPrivateFile } from './key-files.ts'
import { KeeperFailed, type KeyProvider } from './key-provider.ts'
import { pkcs11 } from './pkcs11.ts'
import { combineShares } from './shares.ts'

/** The setting of a master key, read but not yet opened. */
export type KeySetting =
  | { kind: 'raw'; key: Uint8Array }
  | { kind: 'file'; path: string }
  | { kind: 'shares'; paths: readonly string[] }
  | { kind: 'awskms'; keyId: string }
  | { kind: 'gcpkms'; name: string }
  | { kind: 'pkcs11'; uri: string }

const KEY_BYTES = 32
const NONCE_BYTES = 12
const FORMS =
  'the base64 of 32 bytes, file:/path, shares:/path,/path, awskms:KEY, gcpkms:projects/..., or pkcs11:token=...;object=...'
const MAKE_ONE = 'make one with `openssl rand -base64 32`'

/**
 * Reads the setting of a master key.
 *
 * @throws {OperatorError} Says what is wrong, without repeating what may be a key.
 */
export function readKeySetting(text: string): KeySetting {
  const [, scheme = '', rest = ''] = /^([a-z0-9]+):(.+)$/.exec(text) ?? []
  switch (scheme) {
    case 'file':
      return { kind: 'file', path: rest }
    case 'shares':
      return { kind: 'shares', paths: sharePaths(rest) }
    case 'awskms':
      return { kind: 'awskms', keyId: rest }
    case 'gcpkms':
      if (/^projects\/[^/]+\/locations\/[^/]+\/keyRings\/[^/]+\/cryptoKeys\/[^/]+$/.test(rest))
        return { kind: 'gcpkms', name: rest }
      throw new OperatorError(
        'must name a key as gcpkms:projects/PROJECT/locations/PLACE/keyRings/RING/cryptoKeys/KEY.',
      )
    case 'pkcs11':
      if (/(^|;)token=[^;]+/.test(rest) && /(^|;)object=[^;]+/.test(rest)) return { kind: 'pkcs11', uri: rest }
      throw new OperatorError('must name a token and a key as pkcs11:token=...;object=... (RFC 7512).')
    default:
      return { kind: 'raw', key: readBase64(text) }
  }
}

function readBase64(text: string): Uint8Array {
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(text)) throw new OperatorError(`must be ${FORMS}.`)
  const key = Buffer.from(text, 'base64')
  if (key.length === KEY_BYTES) return key
  throw new OperatorError(`must be the base64 of 32 bytes; ${MAKE_ONE}.`)
}

function sharePaths(list: string): string[] {
  const paths = list.split(',').map((path) => path.trim())
  if (paths.length > 1 && paths.every(Boolean) && new Set(paths).size === paths.length) return paths
  throw new OperatorError('must name two files of shares or more, as shares:/path/of/one,/path/of/the/other.')
}

/** Why a key must not be used outside `local`, with the fix; `null` if nothing is wrong with it. */
export function keyProblem(key: Uint8Array): string | null {
  const weakness = weaknessOf(key)
  return weakness === null ? null : `${weakness}, so it can be guessed; ${MAKE_ONE} and keep it safe.`
}

/**
 * Opens a master key: reads its files, or connects to where it is kept.
 *
 * @param name The environment variable of the setting, for messages.
 * @throws {ConfigError} {KeeperFailed} Names the setting and what to do.
 */
export async function openMasterKey(setting: KeySetting, name: string): Promise<KeyProvider> {
  try {
    return await opened(setting)
  } catch (error) {
    if (!(error instanceof OperatorError)) throw error
    const Kind = error instanceof KeeperFailed ? KeeperFailed : ConfigError
    throw new Kind(`${name}: ${error.message}`, { cause: error })
  }
}

async function opened(setting: KeySetting): Promise<KeyProvider> {
  switch (setting.kind) {
    case 'raw':
      return heldKey(setting.key, 'environment')
    case 'file':
      return heldKey(await readKeyFile(setting.path), `file ${setting.path}`)
    case 'shares':
      return heldKey(await combineShares(setting.paths), `shares ${setting.paths.join(', ')}`)
    case 'awskms':
      return awsKms(setting.keyId)
    case 'gcpkms':
      return googleKms(setting.name)
    case 'pkcs11':
      return pkcs11(setting.uri)
  }
}

/** The key itself, of a setting that holds it in a form that can be read. */
export async function readHeldKey(setting: KeySetting): Promise<Uint8Array> {
  if (setting.kind === 'raw') return setting.key
  if (setting.kind === 'file') return readKeyFile(setting.path)
  if (setting.kind === 'shares') return combineShares(setting.paths)
  throw new OperatorError(
    'The key is kept by a service or device that never gives it out, so it has no shares; its own access control takes their place.',
  )
}

/** A key that this process holds. Its id is the beginning of its SHA-256. */
export function heldKey(key: Uint8Array, place: string): KeyProvider {
  const wrapping = Buffer.from(hkdfSync('sha256', key, '', 'tillwright data key', KEY_BYTES))
  return {
    id: createHash('sha256').update(key).digest('hex').slice(0, 8),
    place,
    wrap: async (dataKey, bound) => sealWith(wrapping, dataKey, { bound, nonce: randomBytes(NONCE_BYTES) }),
    unwrap: async (wrapped, bound) => openWith(wrapping, wrapped, bound),
  }
}

async function readKeyFile(path: string): Promise<Uint8Array> {
  const text = await readPrivateFile(path)
  const key = Buffer.from(text.trim(), 'base64')
  if (key.length !== KEY_BYTES) {
    throw new OperatorError(`the file ${path} must hold the base64 of 32 bytes; ${MAKE_ONE} > ${path}.`)
  }
  const problem = keyProblem(key)
  if (problem !== null) throw new OperatorError(`the key in ${path} ${problem}`)
  return key
}
