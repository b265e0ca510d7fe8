import { findApiKey, hashKeyText } from '../src/accounts/api-keys.ts'
import type { Services } from '../src/request-context.ts'
import { newFrameSession } from '../src/vault/frame-sessions.ts'

/** The session of a card frame as the vault makes it for a page of an origin with a publishable key. */
export async function frameSession(
  services: Services,
  { key, origin }: { key: string; origin: string },
): Promise<string> {
  const known = await findApiKey(hashKeyText(key), services.db)
  if (known === null) throw new Error(`There is no key ${key}.`)
  return newFrameSession({ keyId: known.caller.keyId, origin }, services)
}
