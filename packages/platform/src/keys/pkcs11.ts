import { randomBytes } from 'node:crypto'
import { OperatorError } from '../runtime/index.ts'
import { readPrivateFile } from './key-files.ts'
import { asked, idOfName, installed, type KeyProvider } from './key-provider.ts'

const IV_BYTES = 12
const TAG_BYTES = 16

/** Attributes of a PKCS #11 URI. Source: RFC 7512. */
interface Pkcs11Uri {
  token: string
  object: string
  modulePath: string
  /** The file that holds the token's PIN. */
  pinFile: string
}

/**
 * A master key in a device behind PKCS #11: an AES key that encrypts with AES-GCM inside the device and never leaves it.
 * A session is opened for each use. Calls into the device's module block the process until the device answers.
 *
 * @param uri Without its scheme: `token=...;object=...?module-path=...&pin-source=file:...`.
 * @throws {OperatorError} If the URI lacks a part or `pkcs11js` is not installed.
 */
export async function pkcs11(uri: string): Promise<KeyProvider> {
  const { token, object, modulePath, pinFile } = readUri(uri)
  const library = await installed('pkcs11js', () => import('pkcs11js'))
  // CommonJS: its classes and constants arrive as members of the default export.
  const pkcs11js = library.default
  const place = `PKCS #11 token ${token}, object ${object}`
  const device = new pkcs11js.PKCS11()
  await asked(place, async () => {
    device.load(modulePath)
    initialize(device)
  })

  /** Runs `work` with the key, in a session of its own. */
  function inSession(work: (session: Buffer, key: Buffer) => Buffer): Promise<Buffer> {
    return asked(place, async () => {
      const pin = (await readPrivateFile(pinFile)).trim()
      const slot = device.C_GetSlotList(true).find((each) => device.C_GetTokenInfo(each).label.trim() === token)
      if (slot === undefined) throw new Error(`there is no token ${token}`)
      const session = device.C_OpenSession(slot, pkcs11js.CKF_SERIAL_SESSION)
      try {
        login(() => device.C_Login(session, pkcs11js.CKU_USER, pin))
        const template = [
          { type: pkcs11js.CKA_CLASS, value: pkcs11js.CKO_SECRET_KEY },
          { type: pkcs11js.CKA_LABEL, value: object },
        ]
        device.C_FindObjectsInit(session, template)
        const [key, other] = device.C_FindObjects(session, 2)
        device.C_FindObjectsFinal(session)
        if (key === undefined) throw new Error(`the token has no secret key ${object}`)
        if (other !== undefined) throw new Error(`the token has more than one secret key ${object}`)
        return work(session, key)
      } finally {
        device.C_CloseSession(session)
      }
    })
  }

  function gcm(iv: Buffer, bound: string) {
    const aad = Buffer.from(bound)
    const parameter = { type: pkcs11js.CK_PARAMS_AES_GCM, iv, aad, ivBits: IV_BYTES * 8, tagBits: TAG_BYTES * 8 }
    return { mechanism: pkcs11js.CKM_AES_GCM, parameter }
  }

  return {
    id: idOfName(`pkcs11:token=${token};object=${object}`),
    place,
    async wrap(dataKey, bound) {
      const iv = randomBytes(IV_BYTES)
      const encrypted = await inSession((session, key) => {
        device.C_EncryptInit(session, gcm(iv, bound), key)
        return device.C_Encrypt(session, Buffer.from(dataKey), Buffer.alloc(dataKey.length + TAG_BYTES))
      })
      return Buffer.concat([iv, encrypted]).toString('base64')
    },
    unwrap(wrapped, bound) {
      const bytes = Buffer.from(wrapped, 'base64')
      return inSession((session, key) => {
        device.C_DecryptInit(session, gcm(bytes.subarray(0, IV_BYTES), bound), key)
        return device.C_Decrypt(session, bytes.subarray(IV_BYTES), Buffer.alloc(bytes.length))
      })
    },
  }
}

/** Sessions of one process share their login. */
function login(logIn: () => void): void {
  try {
    logIn()
  } catch (error) {
    if (!(error instanceof Error && error.message.includes('CKR_USER_ALREADY_LOGGED_IN'))) throw error
  }
}

/** A module is initialized once in a process, by the first caller. */
function initialize(device: { C_Initialize: () => void }): void {
  try {
    device.C_Initialize()
  } catch (error) {
    if (!(error instanceof Error && error.message.includes('CKR_CRYPTOKI_ALREADY_INITIALIZED'))) throw error
  }
}

function readUri(uri: string): Pkcs11Uri {
  const [path = '', query = ''] = uri.split('?')
  const attributes = new Map([...pairs(path, ';'), ...pairs(query, '&')])
  if (attributes.has('pin-value'))
    throw new OperatorError(
      'must not hold the PIN; write it to a file (mode 0600) and name it as pin-source=file:/path.',
    )
  const required = (name: string, example: string) => {
    const value = attributes.get(name)
    if (value !== undefined && value !== '') return value
    throw new OperatorError(
      `lacks ${name}; write pkcs11:token=...;object=...?module-path=...&pin-source=file:..., ${example}.`,
    )
  }
  return {
    token: required('token', 'the label of the token'),
    object: required('object', 'the label of the key'),
    modulePath: required('module-path', 'such as module-path=/usr/lib/softhsm/libsofthsm2.so'),
    pinFile: required('pin-source', 'such as pin-source=file:/run/secrets/pin').replace(/^file:/, ''),
  }
}

function pairs(text: string, separator: string): [string, string][] {
  return text
    .split(separator)
    .filter(Boolean)
    .map((pair) => {
      const at = pair.indexOf('=')
      return [pair.slice(0, at), decodeURIComponent(pair.slice(at + 1))]
    })
}
