import { generateKeyPairSync, sign } from 'node:crypto'

/** A certificate and its key, in PEM. */
export interface SelfSigned {
  certificate: string
  key: string
}

/** A certificate of its own for 127.0.0.1, new each time and good until 2049. Source: RFC 5280, 4.1. */
export function selfSigned(commonName: string): SelfSigned {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const algorithm = der(0x30, der(0x06, '2a8648ce3d040302')) // ECDSA with SHA-256
  const name = der(0x30, der(0x31, der(0x30, der(0x06, '550403'), der(0x0c, ascii(commonName)))))
  const extensions = der(0x30, isAuthority, forLoopback)
  const signed = der(
    0x30,
    der(0xa0, der(0x02, '02')), // version 3
    der(0x02, '01'),
    algorithm,
    name,
    der(0x30, der(0x17, ascii('200101000000Z')), der(0x17, ascii('491231235959Z'))),
    name,
    publicKey.export({ type: 'spki', format: 'der' }).toString('hex'),
    der(0xa3, extensions),
  )
  const signature = sign('sha256', Buffer.from(signed, 'hex'), privateKey).toString('hex')
  const whole = Buffer.from(der(0x30, signed, algorithm, der(0x03, `00${signature}`)), 'hex').toString('base64')
  return {
    certificate: `-----BEGIN CERTIFICATE-----\n${whole}\n-----END CERTIFICATE-----\n`,
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }),
  }
}

/** A value of DER in hexadecimal: its tag, its length, its parts. */
function der(tag: number, ...services: readonly string[]): string {
  const content = services.join('')
  const bytes = content.length / 2
  const length = bytes.toString(16).padStart(bytes < 0x100 ? 2 : 4, '0')
  const form = bytes < 0x80 ? '' : (0x80 + length.length / 2).toString(16)
  return tag.toString(16).padStart(2, '0') + form + length + content
}

function ascii(text: string): string {
  return Buffer.from(text, 'ascii').toString('hex')
}

const isAuthority = der(0x30, der(0x06, '551d13'), der(0x01, 'ff'), der(0x04, der(0x30, der(0x01, 'ff'))))
/** The subject's alternative name: the address 127.0.0.1. */
const forLoopback = der(0x30, der(0x06, '551d11'), der(0x04, der(0x30, der(0x87, '7f000001'))))
