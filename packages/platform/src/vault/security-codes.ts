import type { Contract } from '@tillwright/contract'
import { hasExpired } from '@tillwright/contract/card-rules'
import { z } from 'zod'
import type { Handler, RequestContext } from '../request-context.ts'
import { ApiError, base62, inStore, missing } from '../runtime/index.ts'
import { rowReader, text as textColumn } from '../storage/index.ts'
import { CARD_COLUMNS, cardColumns, cardRow, type CardRow } from './cards.ts'
import { checkFresh, cvcProblems, messageFields, invalidFields } from './check-card.ts'
import { SECURITY_CODE_TTL_S, type SecurityCodeToken, signSecurityCodeToken } from './sealed-codes.ts'
import { admitMessage, checkSender, keptCode, recordToken, TOKEN_ID_CHARS, type TokenServices } from './tokenize.ts'

/**
 * Accepts the security code of a saved card from a card frame, and returns a single-use token for it. The code waits
 * under the token's random id, so a code sent by someone else for the same card cannot replace it.
 */
export function createSecurityCode({
  jweKeys,
  codes,
  ...gate
}: TokenServices): Handler<Contract['vault']['createSecurityCode']> {
  return async ({ body: { jwe, challengeResponse } }, context) => {
    const plaintext = await jweKeys.decrypt(jwe)
    const session = checkSender(plaintext, context)
    await admitMessage({ session, challengeResponse }, gate, context)
    const { cvc, paymentInstrumentId, messageId } = readSecurityCode(
      plaintext,
      context.caller.allowedOrigins,
      context.nowMs,
    )
    const card = await savedCard(paymentInstrumentId, context)
    checkSavedCard(card, cvc, context.nowMs)
    const { brand, last4, expMonth, expYear, funding } = card
    const token = tokenFor(paymentInstrumentId, context)
    const kept = await keptCode(cvc, { codeId: token.jti, cardId: card.id }, { codes, context })
    return {
      body: {
        securityCodeToken: signSecurityCodeToken(token, context.services.secrets),
        paymentInstrumentId,
        card: { brand, last4, expMonth, expYear, funding },
        expiresAt: new Date(token.exp * 1_000).toISOString(),
      },
      writes: [recordToken({ ...token, cardId: card.id, messageId, session }, context), ...kept],
    }
  }
}

function tokenFor(paymentInstrumentId: string, { services, nowMs }: RequestContext): SecurityCodeToken {
  const exp = Math.floor(nowMs / 1_000) + SECURITY_CODE_TTL_S
  const jti = base62(services.randomness, TOKEN_ID_CHARS)
  return { v: 1, type: 'security_code', provider: 'tillwright', paymentInstrumentId, exp, jti }
}

/** Another store's instrument does not exist for a publishable key, no more than another account's. */
async function savedCard(paymentInstrumentId: string, { caller, services }: RequestContext): Promise<CardRow> {
  const { accountId, storeId } = caller
  const [row] = readInstruments(await services.db.read(selectCard, [accountId, paymentInstrumentId]))
  if (row === undefined || (storeId !== null && row.store_id !== storeId)) {
    const param = 'paymentInstrumentId'
    throw missing('payment instrument', paymentInstrumentId, storeId === null ? param : inStore(storeId, param))
  }
  return cardRow(row)
}

function checkSavedCard(card: CardRow, cvc: string, nowMs: number): void {
  if (card.kind === 'network_token')
    throw new ApiError(
      'parameter_invalid',
      'The card came out of a wallet and has no security code; pay without one.',
      {
        param: 'paymentInstrumentId',
      },
    )
  if (hasExpired(card.expMonth, card.expYear, nowMs))
    throw new ApiError('expired_card', 'The card has expired; ask for another one.')
  const [problem] = cvcProblems(cvc, card.brand)
  if (problem !== undefined) throw new ApiError('parameter_invalid', problem.message, { param: problem.path })
}

const selectCard = `SELECT ${CARD_COLUMNS}, payment_instruments.store_id
  FROM payment_instruments
  JOIN cards ON cards.account_id = payment_instruments.account_id AND cards.id = payment_instruments.card_id
  WHERE payment_instruments.account_id = ? AND payment_instruments.id = ? AND payment_instruments.is_active = 1`
const readInstruments = rowReader({ ...cardColumns, store_id: textColumn })

/** The security code of a saved card as a buyer typed it. Whether it fits the card is not known yet. */
export interface TypedSecurityCode {
  cvc: string
  paymentInstrumentId: string
  /** The random id of the message it came in, by which a second use is refused. */
  messageId: string
}

/**
 * Parses a message that a card frame encrypted for a saved card.
 *
 * @param plaintext The decrypted JSON.
 * @param allowedOrigins The origins of the pages that the caller's key may stand in.
 * @param nowMs Milliseconds since the Unix epoch.
 * @throws {ApiError} `token_invalid` for a message that no frame of ours makes here and now, `token_expired` for one
 *   that is too old. No error shows a value.
 */
function readSecurityCode(plaintext: unknown, allowedOrigins: readonly string[], nowMs: number): TypedSecurityCode {
  const read = sentCode.safeParse(plaintext)
  if (!read.success) {
    throw new ApiError('token_invalid', `The encrypted security code is not complete: ${invalidFields(read.error)}.`)
  }
  const { cvc, paymentInstrumentId, jti, ...message } = read.data
  checkFresh(message, allowedOrigins, nowMs)
  return { cvc, paymentInstrumentId, messageId: jti }
}

/** The plaintext of the JWE. */
const sentCode = z.object({
  ...messageFields,
  cvc: z.string().max(64),
  paymentInstrumentId: z.string().min(1).max(128),
})
