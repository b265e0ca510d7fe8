import type { Contract } from '@tillwright/contract'
import { hasExpired } from '@tillwright/contract/card-rules'
import { z } from 'zod'
import type { RequestContext, Handler, Write } from '../request-context.ts'
import { ApiError, base62, inStore, missing, type SecretBox } from '../runtime/index.ts'
import { rowReader, text as textColumn } from '../storage/index.ts'
import { CARD_COLUMNS, cardColumns, cardRow, type CardRow } from './cards.ts'
import { checkFresh, cvcProblems, messageFields, unfit } from './check-card.ts'
import {
  foreignToken,
  readTokenText,
  sameSignature,
  spendToken,
  TOKEN_COLUMNS,
  tokenColumns,
  writeTokenText,
} from './service-tokens.ts'
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
    throw new ApiError('token_invalid', `The encrypted security code is not complete: ${unfit(read.error)}.`)
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

/**
 * Resolves the token of a saved card's security code to the name under which the code waits. `writes` spend
 * the token; they belong to the payment's first transaction.
 *
 * @param use The store, and the instrument to charge.
 * @throws {ApiError} `token_invalid`, `token_expired` or `token_used`.
 */
export async function redeemSecurityCode(
  text: string,
  use: { storeId: string; paymentInstrumentId: string },
  context: Pick<RequestContext, 'services' | 'caller' | 'nowMs'>,
): Promise<{ codeId: string; writes: Write[] }> {
  const { services, caller, nowMs } = context
  const { jti, paymentInstrumentId } = verifySecurityCodeToken(text, services.secrets, nowMs)
  const [row] = readTokens(await services.db.read(selectToken, [caller.accountId, jti]))
  if (row === undefined) throw foreignToken('securityCodeToken')
  const write = spendToken(row, { param: 'securityCodeToken', jti, storeId: use.storeId }, context)
  if (paymentInstrumentId !== use.paymentInstrumentId) {
    throw new ApiError(
      'token_invalid',
      'This securityCodeToken was made for another payment instrument; pay with the one that the buyer has chosen.',
      { param: 'securityCodeToken' },
    )
  }
  return { codeId: jti, writes: [write] }
}

const selectToken = `SELECT ${TOKEN_COLUMNS} FROM card_tokens WHERE account_id = ? AND id = ?`
const readTokens = rowReader(tokenColumns)

/** How long a token is good for: as long as the code itself waits. */
const SECURITY_CODE_TTL_S = 15 * 60

/** The content of a token for a saved card's security code. Does not contain the code itself. */
export interface SecurityCodeToken {
  v: 1
  type: 'security_code'
  provider: 'tillwright'
  /** The one instrument that it may be used with. */
  paymentInstrumentId: string
  /** Until when it is good: Unix time in seconds. */
  exp: number
  /** The id of this one token, under which the code waits and by which a second use is refused. */
  jti: string
}

/** Signs a token: base64url of its JSON, with `sig`, the HMAC-SHA256 of all other fields, as the last one. */
export function signSecurityCodeToken(token: SecurityCodeToken, secrets: SecretBox): string {
  const { v, type, provider, paymentInstrumentId, exp, jti } = token
  return writeTokenText({ v, type, provider, paymentInstrumentId, exp, jti, sig: signature(token, secrets) })
}

/**
 * Reads a token that this vault has signed.
 *
 * @param text base64url or standard base64, with or without padding.
 * @param nowMs Milliseconds since the Unix epoch.
 * @throws {ApiError} `token_invalid` when it was not signed here or was altered, `token_expired` when its time is over.
 */
export function verifySecurityCodeToken(text: string, secrets: SecretBox, nowMs: number): SecurityCodeToken {
  const read = signedToken.safeParse(readTokenText(text)?.fields)
  if (!read.success) throw invalid('It is not one that the card form makes.')
  const { sig, ...token } = read.data
  if (!sameSignature(sig, signature(token, secrets))) {
    throw invalid('Its signature does not fit: it was altered, or comes from another environment.')
  }
  if (token.exp * 1_000 > nowMs) return token
  throw new ApiError('token_expired', `The ${PARAM} is older than 15 minutes; call tokenize() again.`, { param: PARAM })
}

const PARAM = 'securityCodeToken'

const signedToken = z.strictObject({
  v: z.literal(1),
  type: z.literal('security_code'),
  provider: z.literal('tillwright'),
  paymentInstrumentId: z.string(),
  exp: z.int(),
  jti: z.string(),
  sig: z.string(),
})

/** An array of all fields in fixed order has one spelling, whatever order the sender's JSON had them in. */
function signature(
  { v, type, provider, paymentInstrumentId, exp, jti }: SecurityCodeToken,
  secrets: SecretBox,
): string {
  return secrets
    .mac('security code token', JSON.stringify([v, type, provider, paymentInstrumentId, exp, jti]))
    .toString('base64url')
}

function invalid(why: string): ApiError {
  const message = `This ${PARAM} is not valid. ${why} Pass on what card.tokenize() returned, unchanged.`
  return new ApiError('token_invalid', message, { param: PARAM })
}
