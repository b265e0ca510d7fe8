import { createHash } from 'node:crypto'

/** Derives 32 bytes from a purpose and a transaction id, so that a repeated request gets the same response. */
export function drawn(purpose: string, transactionId: string): Buffer {
  return createHash('sha256').update(`${purpose} ${transactionId}`).digest()
}

/** Derives a version 4 UUID in the same way. Source: RFC 9562, 5.4. */
export function drawnUuid(purpose: string, transactionId: string): string {
  const bytes = drawn(purpose, transactionId).subarray(0, 16)
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x40, 6)
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8)
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
}

/** Derives an `authenticationValue` of the real size. It is not cryptographic proof of anything. */
export function drawnAuthenticationValue(transactionId: string): string {
  return drawn('proof', transactionId).subarray(0, 20).toString('base64')
}
