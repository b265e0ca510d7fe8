import { CHALLENGE_PASS_MS } from '@tillwright/contract'
import type { RequestContext, Caller, Services } from '../request-context.ts'
import { base62 } from '../runtime/index.ts'
import { type Database, deleteSome, type Statement } from '../storage/index.ts'
import { sameSignature } from './signed-tokens.ts'

/** 131 bits. */
const ID_CHARS = 22

/** Half of the MAC: 128 bits cannot be guessed, and every form carries them. Source: RFC 2104, section 5. */
const SEAL_BYTES = 16

/** For whom a card frame was loaded: one publishable key, in a page of one origin. */
export interface FrameOwner {
  keyId: Caller['keyId']
  origin: string
}

/**
 * Creates a session of a card frame, which the frame sends with every message: a random id and a MAC over id, key and
 * origin. Browsers cannot forge it, so card testers must load a form for every few cards; and a message encrypted for
 * one key or origin is worthless with another.
 */
export function newFrameSession(
  owner: FrameOwner,
  { secrets, randomness }: Pick<Services, 'secrets' | 'randomness'>,
): string {
  const id = base62(randomness, ID_CHARS)
  return `${id}.${sealText(secrets.sign(PURPOSE, sealedText(id, owner)))}`
}

/** The id of a session that was made here for this key and origin; `null` for anything else. */
export function readFrameSession(
  session: string,
  owner: FrameOwner,
  { secrets }: Pick<Services, 'secrets'>,
): string | null {
  const [, id = '', sent = ''] = /^([0-9A-Za-z]{22})\.([A-Za-z0-9_-]{22})$/.exec(session) ?? []
  const seals = secrets.signatures(PURPOSE, sealedText(id, owner)).map(sealText)
  return seals.some((seal) => sameSignature(sent, seal)) ? id : null
}

const PURPOSE = 'frame session'

function sealedText(id: string, { keyId, origin }: FrameOwner): string {
  return JSON.stringify([id, keyId, origin])
}

function sealText(signature: Buffer): string {
  return signature.subarray(0, SEAL_BYTES).toString('base64url')
}

/** Whether the buyer at a form has solved a challenge a short while ago. */
export async function hasPass(session: string, { caller, services, nowMs }: PassCall): Promise<boolean> {
  const params = [caller.accountId, session, nowMs]
  const rows = await services.db.read(selectPass, params)
  return rows.length > 0
}

/** Notes at once that the buyer at a form has solved a challenge: its answer is worth nothing a second time. */
export async function grantPass(session: string, { caller, services, nowMs }: PassCall): Promise<void> {
  await services.db.write([{ sql: insertPass, params: [caller.accountId, session, nowMs + CHALLENGE_PASS_MS] }])
}

/** Deletes passes whose time is over. */
export function forgetPasses(nowMs: number): Statement {
  return deleteSome({ table: 'frame_passes', key: 'account_id, session', where: 'expires_at < ?' }, [nowMs])
}

type PassCall = { caller: Pick<RequestContext['caller'], 'accountId'>; services: { db: Database }; nowMs: number }

const selectPass = 'SELECT session FROM frame_passes WHERE account_id = ? AND session = ? AND expires_at > ?'

const insertPass = `INSERT INTO frame_passes (account_id, session, expires_at) VALUES (?, ?, ?)
  ON CONFLICT (account_id, session) DO UPDATE SET expires_at = excluded.expires_at`
