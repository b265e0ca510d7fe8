import { base62 } from '../ambient/ids.ts'
import type { Caller, Parts } from '../call.ts'
import { sameSignature } from './same-signature.ts'

/** 131 bits. */
const ID_CHARS = 22

/** Half of the MAC: 128 bits cannot be guessed, and every form carries them. Source: RFC 2104, section 5. */
const SEAL_BYTES = 16

/** For whom a card frame was loaded: one publishable key, in a page of one origin. */
export interface FrameOwner {
  keyId: Caller['keyId']
  origin: string
}

/**
 * A new session of a card frame, which the frame puts into every message: a random id and a seal over id, key and
 * origin. A browser cannot make one up, so whoever tries cards has to load a form for every few of them; and what was
 * encrypted in the form of one key or origin is worth nothing with another.
 */
export function newFrameSession(
  owner: FrameOwner,
  { secrets, randomness }: Pick<Parts, 'secrets' | 'randomness'>,
): string {
  const id = base62(randomness, ID_CHARS)
  return `${id}.${seal(id, owner, secrets)}`
}

/** The id of a session that was made here for this key and origin; `null` for anything else. */
export function readFrameSession(
  session: string,
  owner: FrameOwner,
  { secrets }: Pick<Parts, 'secrets'>,
): string | null {
  const [, id = '', sent = ''] = /^([0-9A-Za-z]{22})\.([A-Za-z0-9_-]{22})$/.exec(session) ?? []
  return sameSignature(sent, seal(id, owner, secrets)) ? id : null
}

function seal(id: string, { keyId, origin }: FrameOwner, secrets: Parts['secrets']): string {
  const mac = secrets.mac('frame session', JSON.stringify([id, keyId, origin]))
  return mac.subarray(0, SEAL_BYTES).toString('base64url')
}
