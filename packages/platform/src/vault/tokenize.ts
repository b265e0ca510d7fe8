import type { Contract } from '@tillwright/contract'
import { z } from 'zod'
import type { RequestContext, Handler, Write } from '../request-context.ts'
import { ApiError, base62 } from '../runtime/index.ts'
import type { CardTries } from './card-senders.ts'
import { type CardRow, storeCard } from './cards.ts'
import { checkCard, type CheckedCard } from './check-card.ts'
import { grantPass, hasPass, readFrameSession } from './frame-sessions.ts'
import type { JweKeys } from './jwe.ts'
import { keepCode, type SecurityCodes } from './sealed-codes.ts'
import { SERVICE_TOKEN_TTL_S, type ServiceToken, signServiceToken } from './service-tokens.ts'
import type { VerifyChallenge } from './siteverify.ts'

/** 131 bits. */
export const TOKEN_ID_CHARS = 22

/** Accepts a card from a card frame, stores it encrypted, and returns a single-use service token for it. */
export function createToken({ jweKeys, codes, ...gate }: TokenServices): Handler<Contract['vault']['createToken']> {
  return async ({ body: { jwe, challengeResponse } }, context) => {
    const plaintext = await jweKeys.decrypt(jwe)
    const session = checkSender(plaintext, context)
    await admitMessage({ session, challengeResponse }, gate, context)
    const { cvc, messageId, ...card } = await checkTried(plaintext, context, () =>
      gate.cardTries.countOdd({ session, address: context.address, account: context.caller }),
    )
    const { row, write } = await storeCard(card, context.newId('card'), context)
    const kept = await keptCode(cvc, { codeId: row.id, cardId: row.id }, { codes, context })
    const token = tokenFor(row, context)
    const { brand, last4, expMonth, expYear, funding } = row
    return {
      body: {
        serviceToken: signServiceToken(token, context.services.secrets),
        card: { brand, last4, expMonth, expYear, funding },
        expiresAt: new Date(token.exp * 1_000).toISOString(),
      },
      writes: [recordToken({ ...token, cardId: row.id, messageId, session }, context), write, ...kept],
      change: { resource: { type: 'card', id: row.id }, after: { brand, last4 } },
    }
  }
}

/** Services needed to create tokens. */
export interface TokenServices extends Gate {
  jweKeys: JweKeys
  codes: SecurityCodes
}

/** The statement that keeps a security code, unless none was typed. */
export async function keptCode(
  cvc: string,
  { codeId, cardId }: { codeId: string; cardId: string },
  { codes, context }: Pick<TokenServices, 'codes'> & { context: RequestContext },
): Promise<Write[]> {
  if (cvc === '') return []
  const { accountId } = context.caller
  return [keepCode({ accountId, codeId }, await codes.seal(cvc, { accountId, cardId }))]
}

/** Validates the card, and counts numbers that are invalid or in no known range. */
async function checkTried(
  plaintext: unknown,
  { caller, nowMs }: RequestContext,
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

function tokenFor(card: CardRow, { services, nowMs }: RequestContext): ServiceToken {
  const { last4, brand, bin, expMonth, expYear, funding } = card
  return {
    v: 1,
    type: 'card',
    provider: 'tillwright',
    token: card.id,
    nonSensitiveMetadata: { last4, brand, bin, expMonth, expYear, funding },
    exp: Math.floor(nowMs / 1_000) + SERVICE_TOKEN_TTL_S,
    jti: base62(services.randomness, TOKEN_ID_CHARS),
  }
}

/** Services that decide whether a form may send another message. */
export interface Gate {
  cardTries: CardTries
  /** `null` if the operator has configured no captcha: then no challenge is ever required. */
  verifyChallenge: VerifyChallenge | null
}

/** A message of a form: its session, and the answer to a challenge when there is one. */
export interface Sent {
  session: string
  challengeResponse?: string | undefined
}

/**
 * Counts a form's message, and requires a challenge after many from its form or address, or in the account's shops. If
 * no captcha is configured, a form or address that has sent many must wait while the account is under pressure.
 *
 * @throws {ApiError} `rate_limit_exceeded`; `challenge_required` if the challenge response is missing or wrong;
 *   `upstream_failed` if it could not be verified.
 */
export async function admitMessage(
  { session, challengeResponse }: Sent,
  gate: Gate,
  context: RequestContext,
): Promise<void> {
  const { cardTries, verifyChallenge } = gate
  const { many, pressed, retryAfterS } = await cardTries.count({
    session,
    address: context.address,
    account: context.caller,
  })
  if (verifyChallenge === null) {
    if (many && pressed) throw tooMany(retryAfterS)
    return
  }
  if ((!many && !pressed) || (await hasPass(session, context))) return
  if (challengeResponse === undefined)
    throw required('Many cards were sent from here; solve the challenge and send again.')
  const isSolved = await verifyChallenge(challengeResponse, context.address)
  if (!isSolved) throw required('The challenge was not solved; solve a new one and send again.')
  await grantPass(session, context)
}

function required(message: string): ApiError {
  return new ApiError('challenge_required', message, { param: 'challengeResponse' })
}

function tooMany(retryAfterS: number): ApiError {
  return new ApiError(
    'rate_limit_exceeded',
    `Too many cards were sent from this address while the shop receives unusually many; try again in ${retryAfterS} s.`,
    { headers: { 'Retry-After': String(retryAfterS) } },
  )
}

/**
 * Checks that a message was encrypted in a form that this vault served for the caller's key and the page's origin.
 * Precedes all other checks, so that only clients that loaded a form learn anything about a card.
 *
 * @param plaintext The decrypted JSON.
 * @returns The id of the form's session.
 * @throws {ApiError} `token_invalid`.
 */
export function checkSender(
  plaintext: unknown,
  { caller, services }: Pick<RequestContext, 'caller' | 'services'>,
): string {
  const sender = sentBy.safeParse(plaintext)
  const session =
    sender.success &&
    readFrameSession(sender.data.session, { keyId: caller.keyId, origin: sender.data.origin }, services)
  if (typeof session === 'string') return session
  throw new ApiError(
    'token_invalid',
    'The card was not encrypted in a form that was loaded with this publishable key; load the page again.',
  )
}

const sentBy = z.object({ session: z.string(), origin: z.string() })

/** A token that the vault hands out for a message. */
export interface NewToken {
  jti: string
  /** Until when it is good: Unix time in seconds. */
  exp: number
  /** The card that it is about. */
  cardId: string
  /** The random id of the message. */
  messageId: string
  /** The session of the form that has sent the message. */
  session: string
}

/** Records a token. The message's id is unique in the account, so that a message sent twice is refused. */
export function recordToken(
  { jti, exp, cardId, messageId, session }: NewToken,
  { caller, address }: RequestContext,
): Write {
  const { accountId, storeId, keyId } = caller
  return {
    sql: `INSERT INTO card_tokens (account_id, id, card_id, store_id, key_id, jwe_id, expires_at, frame_session, frame_address)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    params: [accountId, jti, cardId, storeId, keyId, messageId, exp * 1_000, session, address],
    onRefused: () => new ApiError('token_used', 'This message was sent before; encrypt it again.', { param: 'jwe' }),
  }
}
