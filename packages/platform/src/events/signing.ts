import { type Environment, SECRET_OVERLAP_DEFAULT_H } from '@tillwright/contract'
import { Webhook } from 'standardwebhooks'
import type { SealedColumn } from '../keys/index.ts'
import type { Services } from '../request-context.ts'
import type { SealedSecret } from './tables.ts'

export const HOUR_MS = 60 * 60 * 1_000

const PURPOSE = 'webhook secret'

const SECRET_BYTES = 32

/** A secret just made: `text` is shown once, `column` goes into the endpoint's row. */
export interface NewSecret {
  /** `whsec_` and the base64 of 32 random bytes. Source: Standard Webhooks 1.0.0, "Signature scheme". */
  text: string
  column: string
}

/**
 * Creates an endpoint's secret.
 *
 * @param rotation The endpoint's secrets and the time, when it has some already, and until when these sign: a day unless given.
 */
export function newSecret(
  endpointId: string,
  { secrets, randomness }: Pick<Services, 'secrets' | 'randomness'>,
  rotation?: Rotation & { untilMs?: number },
): NewSecret {
  const text = `whsec_${Buffer.from(randomness.bytes(SECRET_BYTES)).toString('base64')}`
  const newest: SealedSecret = { sealed: secrets.seal(PURPOSE, Buffer.from(text), endpointId), expiresAt: null }
  const former = rotation === undefined ? [] : live(rotation).map((secret) => expiring(secret, rotation))
  return { text, column: JSON.stringify([newest, ...former]) }
}

/**
 * The secrets that sign at this time, the newest first.
 *
 * @throws {Error} When they were sealed under another master key.
 */
export function openSecrets(endpointId: string, box: Services['secrets'], at: Rotation): string[] {
  return live(at).map(({ sealed }) => Buffer.from(box.open(PURPOSE, sealed, endpointId)).toString())
}

/** The column `secrets` of a table: all secrets of an endpoint in one value. */
export function sealedSecretsOf(table: string): SealedColumn {
  return {
    ring: 'secrets',
    table,
    column: 'secrets',
    keyedBy: 'account and id',
    reseal(value, { id }, box) {
      const secrets: SealedSecret[] = JSON.parse(value)
      return JSON.stringify(secrets.map((each) => ({ ...each, sealed: box.reseal(PURPOSE, each.sealed, id) })))
    },
  }
}

/** An endpoint's secrets at a time. */
interface Rotation {
  sealed: readonly SealedSecret[]
  nowMs: number
}

export function live({ sealed, nowMs }: Rotation): SealedSecret[] {
  return sealed.filter(({ expiresAt }) => expiresAt === null || expiresAt > nowMs)
}

function expiring(
  { sealed, expiresAt }: SealedSecret,
  { nowMs, untilMs }: Rotation & { untilMs?: number },
): SealedSecret {
  const lastMs = untilMs ?? nowMs + SECRET_OVERLAP_DEFAULT_H * HOUR_MS
  return { sealed, expiresAt: Math.min(expiresAt ?? Infinity, lastMs) }
}

/** The part of a signature that changes from one try to the next. */
export interface Signing {
  environment: Environment
  /** `whsec_...`, each of which signs: the first of them first. */
  secrets: readonly string[]
  /** The time of this try by the machine: receivers refuse one that is older than five minutes. */
  nowMs: number
}

/** The headers of a signed message, which verify these bytes under this id alone. Source: Standard Webhooks 1.0.0. */
export function signedHeaders(
  { id, body }: { id: string; body: string },
  { secrets, nowMs }: Pick<Signing, 'secrets' | 'nowMs'>,
): Record<string, string> {
  const sentAt = new Date(nowMs)
  return {
    'content-type': 'application/json; charset=utf-8',
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(nowMs / 1_000)),
    'webhook-signature': secrets.map((secret) => new Webhook(secret).sign(id, sentAt, body)).join(' '),
  }
}
