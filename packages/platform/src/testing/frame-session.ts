import { findApiKey } from '../accounts/api-keys.ts'
import { hashKeyText } from '../accounts/key-text.ts'
import type { Parts } from '../call.ts'
import { newFrameSession } from '../vault/frame-session.ts'

/** The session of a card frame as the vault makes it for a page of an origin with a publishable key. */
export async function frameSession(parts: Parts, { key, origin }: { key: string; origin: string }): Promise<string> {
  const known = await findApiKey(hashKeyText(key), parts.db)
  if (known === null) throw new Error(`There is no key ${key}.`)
  return newFrameSession({ keyId: known.caller.keyId, origin }, parts)
}
