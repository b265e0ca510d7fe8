import { createHash, hash, type Hash } from 'node:crypto'

/** SHA-256 over method, path and body; requests with the same value are the same. */
export function fingerprint(method: string, path: string, body: Uint8Array): string {
  return hash('sha256', Buffer.concat([Buffer.from(beginningOf(method, path)), body]), 'base64url')
}

/** The same for a body in pieces, which it is updated with. */
export function fingerprintOf(method: string, path: string): Hash {
  return createHash('sha256').update(beginningOf(method, path))
}

function beginningOf(method: string, path: string): string {
  return `${method}\n${path}\n`
}
