import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto'
import { isoCBOR } from '@simplewebauthn/server/helpers'

/** The part of WebAuthn's options that this authenticator reads. */
interface Wanted {
  challenge: string
  rp?: { id?: string | undefined }
  rpId?: string | undefined
  user?: { id: string }
}

/** Where the page that asks stands, as the browser says. */
export interface AskedBy {
  origin: string
  /** The host that the passkey is for; that of the options unless given. */
  rpId?: string
  /** Whether the person was asked for a finger or a PIN. Yes unless given. */
  isVerified?: boolean
}

/** An authenticator of software, with one passkey: what a browser and a phone do together. */
export function softAuthenticator() {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const id = randomBytes(32)
  const credentialId = id.toString('base64url')
  let counter = 0
  let userHandle = ''

  function authenticatorData(wanted: Wanted, { rpId, isVerified = true }: AskedBy, attested: Uint8Array): Buffer {
    const hashed = sha256(rpId ?? wanted.rpId ?? wanted.rp?.id ?? '')
    const flags = 0x01 | (isVerified ? 0x04 : 0) | (attested.length > 0 ? 0x40 : 0)
    const count = Buffer.alloc(4)
    count.writeUInt32BE((counter += 1))
    return Buffer.concat([hashed, Buffer.of(flags), count, attested])
  }

  return {
    credentialId,
    /** Sets the counter back, as that of a copy would stand. */
    setCounter: (to: number) => void (counter = to),
    create(wanted: Wanted, by: AskedBy) {
      userHandle = wanted.user?.id ?? ''
      const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
      const coseKey = isoCBOR.encode(
        new Map<number, number | Uint8Array>([
          [1, 2],
          [3, -7],
          [-1, 1],
          [-2, new Uint8Array(Buffer.from(x, 'base64url'))],
          [-3, new Uint8Array(Buffer.from(y, 'base64url'))],
        ]),
      )
      const length = Buffer.alloc(2)
      length.writeUInt16BE(id.length)
      const attested = Buffer.concat([Buffer.alloc(16), length, id, coseKey])
      const object = isoCBOR.encode(
        new Map<string, string | Uint8Array | Map<string, string>>([
          ['fmt', 'none'],
          ['attStmt', new Map<string, string>()],
          ['authData', new Uint8Array(authenticatorData(wanted, by, attested))],
        ]),
      )
      return credential({
        clientDataJSON: clientData('webauthn.create', wanted, by).toString('base64url'),
        attestationObject: Buffer.from(object).toString('base64url'),
        transports: ['internal'],
      })
    },
    get(wanted: Wanted, by: AskedBy) {
      const data = authenticatorData(wanted, by, new Uint8Array())
      const client = clientData('webauthn.get', wanted, by)
      return credential({
        clientDataJSON: client.toString('base64url'),
        authenticatorData: data.toString('base64url'),
        signature: sign('sha256', Buffer.concat([data, sha256(client)]), privateKey).toString('base64url'),
        userHandle,
      })
    },
  }

  function credential(response: object) {
    return { id: credentialId, rawId: credentialId, type: 'public-key', clientExtensionResults: {}, response }
  }
}

function clientData(type: string, { challenge }: Wanted, { origin }: AskedBy): Buffer {
  return Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }))
}

function sha256(data: string | Uint8Array): Buffer {
  return createHash('sha256').update(data).digest()
}
