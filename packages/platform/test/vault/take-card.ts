import type { CardToken } from '@tillwright/contract'
import type { Caller } from '../../src/request-context.ts'
import { newFrameSession } from '../../src/vault/frame-sessions.ts'
import { openJweKeys } from '../../src/vault/jwe.ts'
import type { SecurityCodes } from '../../src/vault/sealed-codes.ts'
import { createToken } from '../../src/vault/tokenize.ts'
import { encryptCard, testCard } from './encrypt-card.ts'
import type { TestVault } from './open-vault.ts'
import { uncounted } from './uncounted.ts'
import { testCodes } from './test-codes.ts'

/** Sends a card to the vault and commits it. */
export async function takeCard(
  vault: TestVault,
  card: Parameters<typeof encryptCard>[1] = {},
  caller: Partial<Caller> = {},
): Promise<{ token: CardToken; codes: SecurityCodes }> {
  const jweKeys = await openJweKeys(vault.services)
  const codes = testCodes(vault.services)
  const call = vault.call(caller)
  const { keyId } = call.caller
  const session = newFrameSession({ keyId, origin: card.origin ?? testCard.origin }, vault.services)
  const body = { jwe: await encryptCard(await jweKeys.publicJwk(), { session, ...card }) }
  const handler = createToken({ jweKeys, codes, cardTries: uncounted, verifyChallenge: null })
  const reply = await handler({ body, params: undefined, query: undefined }, call)
  if ('end' in reply) throw new Error('A token is made at once.')
  if ('failure' in reply) throw reply.failure
  if ('rawJson' in reply) throw new Error('The vault answers a body of its own making.')
  await vault.commit(reply.writes)
  return { token: reply.body, codes }
}
