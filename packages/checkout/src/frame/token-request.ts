import { isObject } from '@tillwright/contract/json'
import type { Card } from '../card/check-card.ts'
import type { SavedCardCode } from '../card/saved-card.ts'
import { isText, isTokenCard, objectOf, type ToPage } from '../wire/index.ts'
import type { FrameAddress, FrameSettings } from './config.ts'
import { base64url, encryptJwe } from './jwe.ts'

/** How long the vault may take to answer. */
export const VAULT_TIMEOUT_MS = 30_000

/** Functions of the browser that a request uses, which tests replace. */
export interface RequestEnvironment {
  fetch: typeof fetch
  crypto: Crypto
  /** The time in milliseconds since 1970. */
  now: () => number
}

/** The card, or the code of a saved card, to make a token for. */
export interface TokenRequest {
  card: Card | SavedCardCode
  /** The response of a challenge that the buyer has solved. */
  challengeResponse?: string | undefined
}

type Answer<T extends ToPage['type']> = Omit<Extract<ToPage, { type: T }>, 'request'>

/** Why there is no token. `message` is the vault's own, in English, or `null` when it gave none. */
interface Failure {
  type: 'failed'
  code: 'network_failed' | 'tokenize_rejected' | 'challenge_required'
  message: string | null
  requestId: string | null
}

/** The vault's answer. */
export type TokenAnswer = Answer<'token'> | Answer<'code'> | Failure

const isTypedToken = objectOf({ serviceToken: isText, card: isTokenCard })
const isCodeToken = objectOf({ paymentInstrumentId: isText, securityCodeToken: isText, card: isTokenCard })

/**
 * Encrypts a card, or the security code of a saved one, for the vault, bound to this shop and this moment, and asks the
 * vault for a token.
 */
export async function requestToken(
  { card, challengeResponse }: TokenRequest,
  config: FrameAddress & FrameSettings,
  ambient: RequestEnvironment,
): Promise<TokenAnswer> {
  const jti = base64url(ambient.crypto.getRandomValues(new Uint8Array(16)))
  const { key, origin, session, jwk } = config
  const claims = { ...card, iat: Math.floor(ambient.now() / 1000), jti, origin, session }
  const jwe = encryptJwe(JSON.stringify(claims), jwk, ambient.crypto)
  try {
    const response = await ambient.fetch(`/api/vault/v1/${'number' in card ? 'tokens' : 'security-codes'}`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({ jwe: await jwe, challengeResponse }),
      signal: AbortSignal.timeout(VAULT_TIMEOUT_MS),
    })
    return readAnswer(response.ok, parseJson(await response.text()))
  } catch {
    return failure('network_failed') // Offline, cut off, too slow, or not encrypted: for the buyer all of them mean "try again".
  }
}

function readAnswer(ok: boolean, body: unknown): TokenAnswer {
  if (ok && isTypedToken(body)) {
    const { serviceToken, card } = body
    return { type: 'token', serviceToken, card }
  }
  if (ok && isCodeToken(body)) {
    const { paymentInstrumentId, securityCodeToken, card } = body
    return { type: 'code', paymentInstrumentId, securityCodeToken, card }
  }
  const error = isObject(body) && isObject(body.error) ? body.error : {}
  return failure(error.code === 'challenge_required' ? error.code : 'tokenize_rejected', error)
}

function failure(code: Failure['code'], { message, requestId }: Record<string, unknown> = {}): Failure {
  return {
    type: 'failed',
    code,
    message: isText(message) ? message : null,
    requestId: isText(requestId) ? requestId : null,
  }
}

/** A gateway between us and the vault may answer in HTML. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
