import type { Parts } from '../call.ts'

/** After a rotation the former secret signs for this long, so that receivers can change over. */
const ROTATION_OVERLAP_MS = 24 * 60 * 60 * 1_000

const PURPOSE = 'webhook secret'
const SECRET_BYTES = 32

/** An element of the column `secrets`, a JSON array with the newest first. The newest never expires. */
interface SealedSecret {
  sealed: string
  /** Unix time in milliseconds. */
  expiresAt: number | null
}

/** A secret just made: `text` is shown once, `column` goes into the endpoint's row. */
export interface NewSecret {
  /** `whsec_` and the base64 of 32 random bytes. Source: Standard Webhooks 1.0.0, "Signature scheme". */
  text: string
  column: string
}

/**
 * Makes an endpoint's secret.
 *
 * @param rotation The column as it is and the time, when the endpoint has a secret already: both sign for 24 hours.
 */
export function newSecret(
  endpointId: string,
  { secrets, randomness }: Pick<Parts, 'secrets' | 'randomness'>,
  rotation?: { column: string; nowMs: number },
): NewSecret {
  const text = `whsec_${Buffer.from(randomness.bytes(SECRET_BYTES)).toString('base64')}`
  const newest: SealedSecret = { sealed: secrets.seal(PURPOSE, Buffer.from(text), endpointId), expiresAt: null }
  const former = rotation === undefined ? [] : live(rotation).map((secret) => expiring(secret, rotation.nowMs))
  return { text, column: JSON.stringify([newest, ...former]) }
}

/**
 * The secrets that sign at this time, the newest first.
 *
 * @throws {Error} When they were sealed under another master key.
 */
export function openSecrets(
  endpointId: string,
  box: Parts['secrets'],
  at: { column: string; nowMs: number },
): string[] {
  return live(at).map(({ sealed }) => Buffer.from(box.open(PURPOSE, sealed, endpointId)).toString())
}

function live({ column, nowMs }: { column: string; nowMs: number }): SealedSecret[] {
  const all: SealedSecret[] = JSON.parse(column) // written by `newSecret` only
  return all.filter(({ expiresAt }) => expiresAt === null || expiresAt > nowMs)
}

function expiring({ sealed, expiresAt }: SealedSecret, nowMs: number): SealedSecret {
  return { sealed, expiresAt: expiresAt ?? nowMs + ROTATION_OVERLAP_MS }
}
