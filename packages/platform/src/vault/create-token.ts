import type { Contract } from '@tillwright/contract'
import { ApiError } from '../ambient/api-error.ts'
import { base62 } from '../ambient/ids.ts'
import type { Call, Handler } from '../call.ts'
import { admitMessage, type Gate } from './admit-message.ts'
import type { CardRow } from './card-row.ts'
import { checkCard, type CheckedCard } from './check-card.ts'
import { checkSender } from './check-sender.ts'
import type { CvcMemory } from './cvc-memory.ts'
import type { JweKeys } from './jwe-keys.ts'
import { recordToken } from './record-token.ts'
import { SERVICE_TOKEN_TTL_S, signServiceToken, type ServiceToken } from './service-token.ts'
import { storeCard } from './store-card.ts'

/** 131 bits. */
export const TOKEN_ID_CHARS = 22

/** Takes a card from a card frame, stores it encrypted, and answers a service token that stands for it once. */
export function createToken({ jweKeys, cvcs, ...gate }: TokenParts): Handler<Contract['vault']['createToken']> {
  return async ({ body: { jwe, challengeResponse } }, call) => {
    const plaintext = await jweKeys.decrypt(jwe)
    const session = checkSender(plaintext, call)
    await admitMessage({ session, challengeResponse }, gate, call)
    const { cvc, messageId, ...card } = await checkTried(plaintext, call, () =>
      gate.cardTries.countOdd({ session, address: call.address, account: call.caller }),
    )
    const { row, write } = storeCard(card, call.newId('card'), call)
    if (cvc !== '') cvcs.keep(row.id, cvc)
    const token = tokenFor(row, call)
    const { brand, last4, expMonth, expYear, funding } = row
    return {
      body: {
        serviceToken: signServiceToken(token, call.parts.secrets),
        card: { brand, last4, expMonth, expYear, funding },
        expiresAt: new Date(token.exp * 1_000).toISOString(),
      },
      writes: [recordToken({ ...token, cardId: row.id, messageId, session }, call), write],
    }
  }
}

/** What tokens are made with. */
export interface TokenParts extends Gate {
  jweKeys: JweKeys
  cvcs: CvcMemory
}

/** Checks the card, and tells of a number that is wrong or that lies in no known range. */
async function checkTried(
  plaintext: unknown,
  { caller, nowMs }: Call,
  countOdd: () => Promise<void>,
): Promise<CheckedCard> {
  try {
    const card = checkCard(plaintext, caller.allowedOrigins, nowMs)
    if (card.brand === 'unknown') await countOdd()
    return card
  } catch (error) {
    if (error instanceof ApiError && error.details.issues?.some(({ path }) => path === 'number')) await countOdd()
    throw error
  }
}

function tokenFor(card: CardRow, { parts, nowMs }: Call): ServiceToken {
  const { last4, brand, bin, expMonth, expYear, funding } = card
  return {
    v: 1,
    type: 'card',
    provider: 'tillwright',
    token: card.id,
    nonSensitiveMetadata: { last4, brand, bin, expMonth, expYear, funding },
    exp: Math.floor(nowMs / 1_000) + SERVICE_TOKEN_TTL_S,
    jti: base62(parts.randomness, TOKEN_ID_CHARS),
  }
}
