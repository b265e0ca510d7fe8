import { createHash } from 'node:crypto'

/** 32 bytes that depend on what they are for and on the transaction alone: who asks again is answered the same. */
export function drawn(what: string, transactionId: string): Buffer {
  return createHash('sha256').update(`${what} ${transactionId}`).digest()
}

/** A cryptogram of the real one's size: 20 bytes, 28 characters of base64. It proves nothing to anybody. */
export function drawnProof(transactionId: string): string {
  return drawn('proof', transactionId).subarray(0, 20).toString('base64')
}
