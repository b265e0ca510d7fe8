import type { CardToken } from '@tillwright/contract'
import type { Caller } from '../../call.ts'
import { createToken } from '../create-token.ts'
import { cvcMemory, type CvcMemory } from '../cvc-memory.ts'
import { openJweKeys } from '../jwe-keys.ts'
import { encryptCard } from './encrypt-card.ts'
import type { TestVault } from './open-vault.ts'

/** Sends a card to the vault and commits it. */
export async function takeCard(
  vault: TestVault,
  card: Parameters<typeof encryptCard>[1] = {},
  caller: Partial<Caller> = {},
): Promise<{ token: CardToken; cvcs: CvcMemory }> {
  const jweKeys = await openJweKeys(vault.parts)
  const cvcs = cvcMemory(vault.clock, new AbortController().signal)
  const body = { jwe: await encryptCard(jweKeys.publicJwk, card) }
  const reply = await createToken({ jweKeys, cvcs })({ body, params: undefined, query: undefined }, vault.call(caller))
  if ('failure' in reply) throw reply.failure
  if ('stored' in reply) throw new Error('The vault answers a body of its own making.')
  await vault.commit(reply.writes)
  return { token: reply.body, cvcs }
}
