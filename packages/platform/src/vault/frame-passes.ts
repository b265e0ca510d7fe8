import { CHALLENGE_PASS_MS } from '@tillwright/contract'
import type { Call } from '../call.ts'
import type { Database, Statement } from '../storage/database.ts'

/** Whether the buyer at a form has solved a challenge a short while ago. */
export async function hasPass(session: string, { caller, parts, nowMs }: PassCall): Promise<boolean> {
  const params = [caller.accountId, session, nowMs]
  const rows = await parts.db.read(selectPass, params)
  return rows.length > 0
}

/** Notes at once that the buyer at a form has solved a challenge: its answer is worth nothing a second time. */
export async function grantPass(session: string, { caller, parts, nowMs }: PassCall): Promise<void> {
  await parts.db.write([{ sql: insertPass, params: [caller.accountId, session, nowMs + CHALLENGE_PASS_MS] }])
}

/** Deletes passes whose time is over. */
export function forgetPasses(nowMs: number): Statement {
  return { sql: 'DELETE FROM frame_passes WHERE expires_at < ?', params: [nowMs] }
}

type PassCall = { caller: Pick<Call['caller'], 'accountId'>; parts: { db: Database }; nowMs: number }

const selectPass = 'SELECT session FROM frame_passes WHERE account_id = ? AND session = ? AND expires_at > ?'

const insertPass = `INSERT INTO frame_passes (account_id, session, expires_at) VALUES (?, ?, ?)
  ON CONFLICT (account_id, session) DO UPDATE SET expires_at = excluded.expires_at`
