import { timingSafeEqual } from 'node:crypto'
import type { SecretBox } from '../../ambient/secret-box.ts'

/** The one session that an action token opens. */
export interface ActionSubject {
  accountId: string
  sessionId: string
}

/**
 * The token that a shop's server gives to its page: account and session in base64url, and their HMAC-SHA256. The same
 * session has the same token, and how long it is good is for the session to say.
 */
export function signActionToken({ accountId, sessionId }: ActionSubject, secrets: SecretBox): string {
  const payload = Buffer.from(JSON.stringify([accountId, sessionId])).toString('base64url')
  return `${payload}.${sign(payload, secrets)}`
}

/** What a token that was signed here opens; `null` for anything else. */
export function readActionToken(token: string, secrets: SecretBox): ActionSubject | null {
  const [, payload = '', sent = ''] = /^([A-Za-z0-9_-]+)\.([A-Za-z0-9_-]{43})$/.exec(token) ?? []
  const [given, expected] = [Buffer.from(sent), Buffer.from(sign(payload, secrets))]
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) return null
  const [accountId, sessionId] = JSON.parse(Buffer.from(payload, 'base64url').toString())
  return { accountId, sessionId }
}

function sign(payload: string, secrets: SecretBox): string {
  return secrets.mac('threeds action', payload).toString('base64url')
}
