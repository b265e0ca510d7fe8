import type { Contract } from '@tillwright/contract'
import { ApiError } from '../ambient/api-error.ts'
import { base62 } from '../ambient/ids.ts'
import type { Call, Handler, Write } from '../call.ts'
import type { CardRow } from './card-row.ts'
import type { CardTries } from './card-tries.ts'
import { checkCard, type CheckedCard } from './check-card.ts'
import { checkSender } from './check-sender.ts'
import type { CvcMemory } from './cvc-memory.ts'
import type { JweKeys } from './jwe-keys.ts'
import { SERVICE_TOKEN_TTL_S, signServiceToken, type ServiceToken } from './service-token.ts'
import { storeCard } from './store-card.ts'

/** 131 bits. */
const TOKEN_ID_CHARS = 22

/** Takes a card from a card frame, stores it encrypted, and answers a service token that stands for it once. */
export function createToken({ jweKeys, cvcs, cardTries }: TokenParts): Handler<Contract['vault']['createToken']> {
  return async ({ body }, call) => {
    const plaintext = await jweKeys.decrypt(body.jwe)
    const session = checkSender(plaintext, call)
    await cardTries.count(session)
    const { cvc, messageId, ...card } = await checkTried(plaintext, call, () =>
      cardTries.countOdd(session, call.address),
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
      writes: [recordToken(token, messageId, call), write],
    }
  }
}

/** What tokens are made with. */
export interface TokenParts {
  jweKeys: JweKeys
  cvcs: CvcMemory
  cardTries: CardTries
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

/** The message's id is unique in the account, so that a message sent twice is refused. */
function recordToken(token: ServiceToken, messageId: string, { caller }: Call): Write {
  return {
    sql: `INSERT INTO card_tokens (account_id, id, card_id, store_id, key_id, jwe_id, expires_at)
      VALUES (?, ?, ?, ?, ?, ?, ?)`,
    params: [caller.accountId, token.jti, token.token, caller.storeId, caller.keyId, messageId, token.exp * 1_000],
    otherwise: () =>
      new ApiError('token_used', 'This encrypted card was sent before; encrypt it again.', { param: 'jwe' }),
  }
}
