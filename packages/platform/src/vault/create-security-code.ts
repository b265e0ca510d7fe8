import type { Contract } from '@tillwright/contract'
import { hasExpired } from '@tillwright/contract/card-rules'
import { ApiError, missing } from '../ambient/api-error.ts'
import { base62 } from '../ambient/ids.ts'
import type { Call, Handler } from '../call.ts'
import { admitMessage } from './admit-message.ts'
import type { Brand } from './brand.ts'
import { CARD_COLUMNS, cardRow, type CardRow } from './card-row.ts'
import { checkSender } from './check-sender.ts'
import { cvcProblems } from './cvc-problems.ts'
import { readSecurityCode } from './read-security-code.ts'
import { TOKEN_ID_CHARS, type TokenParts } from './create-token.ts'
import { recordToken } from './record-token.ts'
import { SECURITY_CODE_TTL_S, signSecurityCodeToken, type SecurityCodeToken } from './security-code-token.ts'

/**
 * Takes the security code of a saved card from a card frame, and answers a token that stands for it once. The code waits
 * under the token's id, which nobody knows beforehand: whoever sends another code for the same card leaves it alone.
 */
export function createSecurityCode({
  jweKeys,
  cvcs,
  ...gate
}: TokenParts): Handler<Contract['vault']['createSecurityCode']> {
  return async ({ body: { jwe, challengeResponse } }, call) => {
    const plaintext = await jweKeys.decrypt(jwe)
    const session = checkSender(plaintext, call)
    await admitMessage({ session, challengeResponse }, gate, call)
    const { cvc, paymentInstrumentId, messageId } = readSecurityCode(plaintext, call.caller.allowedOrigins, call.nowMs)
    const card = await savedCard(paymentInstrumentId, call)
    checkSavedCard(card, cvc, call.nowMs)
    const { brand, last4, expMonth, expYear, funding } = card
    const token = tokenFor(paymentInstrumentId, call)
    if (cvc !== '') cvcs.keep(token.jti, cvc)
    return {
      body: {
        securityCodeToken: signSecurityCodeToken(token, call.parts.secrets),
        paymentInstrumentId,
        card: { brand, last4, expMonth, expYear, funding },
        expiresAt: new Date(token.exp * 1_000).toISOString(),
      },
      writes: [recordToken({ ...token, cardId: card.id, messageId, session }, call)],
    }
  }
}

function tokenFor(paymentInstrumentId: string, { parts, nowMs }: Call): SecurityCodeToken {
  const exp = Math.floor(nowMs / 1_000) + SECURITY_CODE_TTL_S
  const jti = base62(parts.randomness, TOKEN_ID_CHARS)
  return { v: 1, type: 'security_code', provider: 'tillwright', paymentInstrumentId, exp, jti }
}

/** Another store's instrument does not exist for a publishable key, no more than another account's. */
async function savedCard(paymentInstrumentId: string, { caller, parts }: Call): Promise<CardRow> {
  const { accountId, storeId } = caller
  const [row] = await parts.db.read(selectCard, [accountId, paymentInstrumentId])
  if (row === undefined || (storeId !== null && row['store_id'] !== storeId)) {
    throw missing('payment instrument', paymentInstrumentId, 'paymentInstrumentId')
  }
  return cardRow(row)
}

function checkSavedCard(card: CardRow, cvc: string, nowMs: number): void {
  if (hasExpired(card.expMonth, card.expYear, nowMs))
    throw new ApiError('expired_card', 'The card has expired; ask for another one.')
  // The vault writes this column from its own brands.
  const [problem] = cvcProblems(cvc, card.brand as Brand)
  if (problem !== undefined) throw new ApiError('parameter_invalid', problem.message, { param: problem.path })
}

const selectCard = `SELECT ${CARD_COLUMNS}, payment_instruments.store_id
  FROM payment_instruments
  JOIN cards ON cards.account_id = payment_instruments.account_id AND cards.id = payment_instruments.card_id
  WHERE payment_instruments.account_id = ? AND payment_instruments.id = ? AND payment_instruments.is_active = 1`
