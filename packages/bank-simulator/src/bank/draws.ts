import { createHash } from 'node:crypto'

/** 32 bytes that follow from a purpose and a transaction alone, so that a repeated request is answered alike. */
export function drawn(purpose: string, transactionId: string): Buffer {
  return createHash('sha256').update(`${purpose} ${transactionId}`).digest()
}

/** A UUID of version 4 from such a draw. Source: RFC 9562, 5.4. */
export function drawnUuid(purpose: string, transactionId: string): string {
  const bytes = drawn(purpose, transactionId).subarray(0, 16)
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x40, 6)
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8)
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
}

/** An `authenticationValue` of the real one's size. It proves nothing. */
export function drawnAuthenticationValue(transactionId: string): string {
  return drawn('proof', transactionId).subarray(0, 20).toString('base64')
}
