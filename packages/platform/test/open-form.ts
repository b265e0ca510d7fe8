import type { OutgoingHttpHeaders } from 'node:http'
import { newestJwk } from './vault/newest-jwk.ts'
import { frameSession } from './frame-session.ts'
import type { Answer } from './send-request.ts'
import { SHOP_URL, type TestPlatform } from './test-platform.ts'
import { encryptCard, type testCard } from './vault/encrypt-card.ts'

/** Card that a test's form sends: a valid one, unless overridden. */
export interface FormCard extends Partial<typeof testCard> {
  /** The answer to a challenge. */
  challengeResponse?: string
}

/** A form that was loaded elsewhere. */
export interface LoadedForm {
  session?: string
  key?: string
  /** Headers of each request with a card, such as the client address that a proxy sets. */
  headers?: OutgoingHttpHeaders
}

let messages = 0

/** Loads a form, or takes one that was loaded elsewhere: what it returns sends card after card. */
export async function openForm(
  platform: TestPlatform,
  loaded?: LoadedForm,
): Promise<(card?: FormCard) => Promise<Answer>> {
  const { services, local, clock } = platform
  const key = loaded?.key ?? local.publishableKey
  const session = loaded?.session ?? (await frameSession(services, { key, origin: SHOP_URL }))
  const jwk = await newestJwk(services)
  return async ({ challengeResponse, ...card } = {}) => {
    const jti = String(messages++).padStart(22, 'F')
    const iat = Math.floor(clock.now() / 1_000)
    const jwe = await encryptCard(jwk, { iat, jti, expYear: 2040, origin: SHOP_URL, session, ...card })
    const headers = loaded?.headers ?? {}
    return platform.vaultRequest('POST', '/api/vault/v1/tokens', { body: { jwe, challengeResponse }, key, headers })
  }
}
