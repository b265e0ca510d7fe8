import { hash } from 'node:crypto'
import { type MemberSession, memberLimit, scopesOfRole, type SignInMethod } from '@tillwright/contract'
import { accountsTable } from '../accounts/index.ts'
import type { Caller, CallingMember, RequestContext, Services, Write } from '../request-context.ts'
import { ApiError, base62, newId } from '../runtime/index.ts'
import { pick, type RowOf, rowReader, type Statement } from '../storage/index.ts'
import { memberSessionsTable, membersTable } from './tables.ts'

/** How long a session lasts at most. */
export const SESSION_MAX_MS = 12 * 60 * 60 * 1_000
/** Use is noted once in this time, so that few requests cost a write. */
const NOTE_USE_MS = 60 * 1_000
/** Credentials are changed within this time after a sign-in only. */
const FRESH_MS = 15 * 60 * 1_000

/** 43 base62 characters hold 256 bits. */
const TOKEN_CHARS = 43
const USER_AGENT_MAX_CHARS = 255

/** A sign-in: the member, the method, and the browser's address and user agent. */
export interface SignIn {
  accountId: string
  memberId: string
  method: SignInMethod
  address: string
  userAgent: string | undefined
}

/** A new session: the token is for the cookie alone, and its hash is what is stored. */
export function newMemberSession(
  { accountId, memberId, method, address, userAgent }: SignIn,
  { clock, randomness }: Pick<Services, 'clock' | 'randomness'>,
): { id: string; token: string; write: Write } {
  const nowMs = clock.now()
  const id = newId('ses', nowMs, randomness)
  const token = base62(randomness, TOKEN_CHARS)
  const browser = userAgent?.replaceAll('\0', '').slice(0, USER_AGENT_MAX_CHARS) ?? null
  const write = {
    sql: `INSERT INTO member_sessions (account_id, id, member_id, token_hash, method, address, user_agent, created_at,
        last_used_at, expires_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    params: [
      accountId,
      id,
      memberId,
      hash('sha256', token),
      method,
      address,
      browser,
      nowMs,
      nowMs,
      nowMs + SESSION_MAX_MS,
    ],
  }
  return { id, token, write }
}

/**
 * The member whose session a token opens, with the rights that the member has at this moment: nothing is remembered from
 * one request to the next.
 *
 * @param options `idleMs`: of `ConsolePlace`. `isUse`: whether this keeps the session from ending idle, as it does unless
 *   given; what a page polls does not.
 * @returns `null` for no session, or one that has ended.
 */
export async function findSignedIn(
  token: string,
  { db, clock }: Pick<Services, 'db' | 'clock'>,
  { idleMs, isUse = true }: { idleMs: number; isUse?: boolean },
): Promise<(Caller & { member: CallingMember }) | null> {
  if (!/^[0-9A-Za-z]{43}$/.test(token)) return null
  const [row] = readSignedIn(await db.read(selectSignedIn, [hash('sha256', token)]))
  const nowMs = clock.now()
  if (row === undefined || !isLive(row, { nowMs, idleMs })) return null
  const { account_id: accountId, member_id: memberId, id, role, store_ids: storeIds } = row
  if (isUse && nowMs - row.last_used_at >= NOTE_USE_MS) await db.write([noteUse(accountId, id, nowMs)])
  return {
    accountId,
    actor: { kind: 'member', id: memberId, name: row.name ?? row.email },
    keyId: memberId,
    kind: 'member',
    roles: [],
    scopes: scopesOfRole[role],
    plan: row.plan,
    rateLimit: memberLimit,
    storeId: null,
    allowedOrigins: [],
    member: { memberId, id, role, storeIds, signedInAtMs: row.created_at },
  }
}

const selectSignedIn = `SELECT s.account_id, s.id, s.member_id, s.created_at, s.last_used_at, s.expires_at, m.email,
    m.name, m.role, m.store_ids, a.plan
  FROM member_sessions s JOIN members m ON m.account_id = s.account_id AND m.id = s.member_id
  JOIN accounts a ON a.id = s.account_id WHERE s.token_hash = ? AND m.status = 'active'`
const readSignedIn = rowReader({
  ...pick(memberSessionsTable, 'account_id', 'id', 'member_id', 'created_at', 'last_used_at', 'expires_at'),
  ...pick(membersTable, 'email', 'name', 'role', 'store_ids'),
  ...pick(accountsTable, 'plan'),
})

function isLive(
  row: { last_used_at: number; expires_at: number },
  { nowMs, idleMs }: { nowMs: number; idleMs: number },
): boolean {
  return nowMs < row.expires_at && nowMs < row.last_used_at + idleMs
}

function noteUse(accountId: string, id: string, nowMs: number): Statement {
  return {
    sql: 'UPDATE member_sessions SET last_used_at = ? WHERE account_id = ? AND id = ? AND last_used_at < ?',
    params: [nowMs, accountId, id, nowMs],
  }
}

/** The member of a request that only a member may make. */
export function signedInOf({ caller }: Pick<RequestContext, 'caller'>): CallingMember {
  if (caller.member !== undefined) return caller.member
  throw new Error('The HTTP layer lets nobody but members call operations of the console.')
}

/**
 * Refuses to change credentials in a session that began long ago: a browser that was left open must not become a passkey.
 *
 * @throws {ApiError} `sign_in_required`.
 */
export function requireFresh({ signedInAtMs }: CallingMember, nowMs: number): void {
  if (nowMs - signedInAtMs < FRESH_MS) return
  throw new ApiError('sign_in_required', 'Sign in again to change how you sign in; the last time is too long ago.', {
    headers: { 'WWW-Authenticate': 'Cookie' },
  })
}

type SessionRow = RowOf<typeof memberSessionsTable>
const readSessions = rowReader(memberSessionsTable)

async function liveSessions(
  memberId: string,
  { caller, services, nowMs }: RequestContext,
  idleMs: number,
): Promise<SessionRow[]> {
  const sql = 'SELECT * FROM member_sessions WHERE account_id = ? AND member_id = ? ORDER BY created_at DESC, id DESC'
  const rows = readSessions(await services.db.read(sql, [caller.accountId, memberId]))
  return rows.filter((row) => isLive(row, { nowMs, idleMs }))
}

/** The sessions of a member that have not ended, newest first. */
export async function listSessions(
  memberId: string,
  context: RequestContext,
  idleMs: number,
): Promise<MemberSession[]> {
  const rows = await liveSessions(memberId, context, idleMs)
  return rows.map((row) => ({
    id: row.id,
    memberId: row.member_id,
    method: row.method,
    address: row.address,
    userAgent: row.user_agent,
    createdAt: new Date(row.created_at).toISOString(),
    lastUsedAt: new Date(row.last_used_at).toISOString(),
    expiresAt: new Date(row.expires_at).toISOString(),
    isCurrent: row.id === context.caller.member?.id,
  }))
}

export async function countSessions(memberId: string, context: RequestContext, idleMs: number): Promise<number> {
  return (await liveSessions(memberId, context, idleMs)).length
}

/** Ends all sessions of a member. */
export function endSessionsOf(accountId: string, memberId: string): Write {
  return { sql: 'DELETE FROM member_sessions WHERE account_id = ? AND member_id = ?', params: [accountId, memberId] }
}

/** How many sessions a member has begun in one way, and the statement that ends them. */
export async function sessionsBegunBy(
  method: SignInMethod,
  { accountId, memberId }: { accountId: string; memberId: string },
  { db }: Pick<Services, 'db'>,
): Promise<{ count: number; end: Write }> {
  const begun = 'FROM member_sessions WHERE account_id = ? AND member_id = ? AND method = ?'
  const params = [accountId, memberId, method]
  const { length: count } = await db.read(`SELECT id ${begun}`, params)
  return { count, end: { sql: `DELETE ${begun}`, params } }
}

/** Ends one session of a member. */
export function endSession({ accountId, memberId, id }: { accountId: string; memberId: string; id: string }): Write {
  return {
    sql: 'DELETE FROM member_sessions WHERE account_id = ? AND member_id = ? AND id = ?',
    params: [accountId, memberId, id],
  }
}

/** Moves all sessions of an account along with a clock that is about to be moved, so that it signs out no member. */
export function moveSessions(accountId: string, byMs: number): Write {
  return {
    sql: `UPDATE member_sessions SET last_used_at = last_used_at + ?, expires_at = expires_at + ? WHERE account_id = ?`,
    params: [byMs, byMs, accountId],
  }
}

/** Deletes sessions and ceremonies whose time is over. */
export function forgetEndedSessions(nowMs: number): Statement[] {
  return ['member_sessions', 'sign_in_ceremonies'].map((table) => ({
    sql: `DELETE FROM ${table} WHERE expires_at < ?`,
    params: [nowMs],
  }))
}
