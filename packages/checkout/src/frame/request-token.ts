import type { Card } from '../card/check-card.ts'
import { isObject, isText, objectOf } from '../wire/guards.ts'
import { isTokenCard, type ToPage } from '../wire/messages.ts'
import { base64url } from './base64url.ts'
import { encryptJwe } from './encrypt-jwe.ts'
import type { FrameConfig } from './frame-config.ts'

/** How long the vault may take to answer. */
export const VAULT_TIMEOUT_MS = 30_000

/** What a request takes from its surroundings. */
export interface Ambient {
  fetch: typeof fetch
  crypto: Crypto
  /** The time in milliseconds since 1970. */
  now: () => number
}

/** The vault's answer; `message` is the vault's own, in English, or `null` when it gave none. */
export type TokenAnswer =
  | { outcome: 'token'; serviceToken: string; card: Extract<ToPage, { type: 'token' }>['card'] }
  | { outcome: 'network_failed' }
  | { outcome: 'tokenize_rejected'; message: string | null; requestId: string | null }

const isTokenBody = objectOf({ serviceToken: isText, card: isTokenCard })

/** Encrypts a card for the vault, bound to this shop and this moment, and asks the vault for a service token. */
export async function requestToken(card: Card, config: FrameConfig, ambient: Ambient): Promise<TokenAnswer> {
  const jti = base64url(ambient.crypto.getRandomValues(new Uint8Array(16)))
  const { origin, session } = config
  const claims = { ...card, iat: Math.floor(ambient.now() / 1000), jti, origin, session }
  const jwe = await encryptJwe(JSON.stringify(claims), config.jwk, ambient.crypto)
  return send(jwe, config.key, ambient.fetch)
}

async function send(jwe: string, key: string, fetch: Ambient['fetch']): Promise<TokenAnswer> {
  try {
    const response = await fetch('/api/vault/v1/tokens', {
      method: 'POST',
      headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({ jwe }),
      signal: AbortSignal.timeout(VAULT_TIMEOUT_MS),
    })
    return readAnswer(response.ok, await response.text())
  } catch {
    return { outcome: 'network_failed' } // Offline, cut off or too slow: for the buyer all of them mean "try again".
  }
}

function readAnswer(ok: boolean, text: string): TokenAnswer {
  const body = parseJson(text)
  if (ok && isTokenBody(body)) return { outcome: 'token', serviceToken: body.serviceToken, card: body.card }
  const error = isObject(body) && isObject(body.error) ? body.error : {}
  return {
    outcome: 'tokenize_rejected',
    message: isText(error.message) ? error.message : null,
    requestId: isText(error.requestId) ? error.requestId : null,
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
