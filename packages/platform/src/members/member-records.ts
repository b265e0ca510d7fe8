import { hash } from 'node:crypto'
import type { Member, MemberRole } from '@tillwright/contract'
import { oneAfterAnother } from '../accounts/index.ts'
import { emit, emitterAt } from '../events/index.ts'
import type { Services, Write } from '../request-context.ts'
import { ApiError, base62, newId } from '../runtime/index.ts'
import { type Database, readByIds, type RowOf, rowReader } from '../storage/index.ts'
import { membersTable } from './tables.ts'

/** How long the link of an invitation is good. */
const INVITATION_LIFETIME_MS = 3 * 24 * 60 * 60 * 1_000

export type MemberRow = RowOf<typeof membersTable>

export const readMembers = rowReader(membersTable)

/** A member of the account, removed or not; `null` for none. */
export async function findMember(accountId: string, id: string, db: Database): Promise<MemberRow | null> {
  const [row] = await findMembers([id], accountId, db)
  return row ?? null
}

/** The members of the account with these ids, removed or not, in any order. */
export function findMembers(ids: readonly string[], accountId: string, db: Database): Promise<MemberRow[]> {
  return readByIds(membersTable, { table: 'members', ids, accountId }, db)
}

/** The member of the account with this e-mail address who was not removed; `null` for none. */
export async function findByEmail(accountId: string, email: string, db: Database): Promise<MemberRow | null> {
  const sql = `SELECT * FROM members WHERE account_id = ? AND email = ? AND status <> 'removed'`
  const [row] = readMembers(await db.read(sql, [accountId, email]))
  return row ?? null
}

/** A member as the API shows it. */
export function toMember(row: MemberRow): Member {
  return {
    id: row.id,
    accountId: row.account_id,
    email: row.email,
    name: row.name,
    role: row.role,
    storeIds: row.store_ids,
    status: row.status,
    invitationExpiresAt: row.invitation_expires_at === null ? null : new Date(row.invitation_expires_at).toISOString(),
    createdAt: new Date(row.created_at).toISOString(),
  }
}

/** An invitation to an account. */
export interface Invited {
  accountId: string
  email: string
  name: string | null
  role: MemberRole
  storeIds: readonly string[] | null
}

/** An invitation that is about to be stored. */
export interface Invitation {
  member: Member
  /** The secret part of the link. Only its hash is stored. */
  token: string
  expiresAtMs: number
  writes: Write[]
}

/**
 * Invites a person. An invitation that was not accepted is replaced, with its role; a member who has accepted keeps role
 * and stores, and gets a link that adds a passkey.
 *
 * @param known The member with this e-mail address, if there is one.
 */
export function invitation(
  { accountId, email, name, role, storeIds }: Invited,
  known: MemberRow | null,
  services: Pick<Services, 'clock' | 'randomness'>,
): Invitation {
  const nowMs = services.clock.now()
  const token = `inv_${base62(services.randomness, TOKEN_CHARS)}`
  const expiresAtMs = nowMs + INVITATION_LIFETIME_MS
  const isActive = known?.status === 'active'
  const row: MemberRow = {
    account_id: accountId,
    id: known?.id ?? newId('mem', nowMs, services.randomness),
    email,
    name: isActive ? known.name : (name ?? known?.name ?? null),
    role: isActive ? known.role : role,
    store_ids: isActive ? known.store_ids : storeIds === null ? null : [...storeIds],
    status: isActive ? 'active' : 'invited',
    invitation_hash: hash('sha256', token),
    invitation_expires_at: expiresAtMs,
    created_at: known?.created_at ?? nowMs,
  }
  return {
    member: toMember(row),
    token,
    expiresAtMs,
    writes: known === null ? [insert(row)] : [oneAfterAnother(accountId), update(row)],
  }
}

/** 43 base62 characters hold 256 bits. */
const TOKEN_CHARS = 43

/** The hash of the token of an invitation; `null` for a text that is none. */
export function hashInvitation(text: string): string | null {
  return /^inv_[0-9A-Za-z]{43}$/.test(text) ? hash('sha256', text) : null
}

function insert(row: MemberRow): Write {
  return {
    sql: `INSERT INTO members (account_id, id, email, name, role, store_ids, status, invitation_hash, invitation_expires_at,
        created_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    params: [row.account_id, row.id, row.email, row.name, ...changeable(row), row.created_at],
    onRefused: () => isMember(row.email),
  }
}

function update(row: MemberRow): Write {
  return {
    sql: `UPDATE members SET name = ?, role = ?, store_ids = ?, status = ?, invitation_hash = ?, invitation_expires_at = ?
      WHERE account_id = ? AND id = ? AND status = ?`,
    params: [row.name, ...changeable(row), row.account_id, row.id, row.status],
    expect: 1,
  }
}

function changeable({
  role,
  store_ids: ids,
  status,
  invitation_hash: hashed,
  invitation_expires_at: until,
}: MemberRow) {
  return [role, ids === null ? null : JSON.stringify(ids), status, hashed, until] as const
}

/** Uses up an invitation. Refused when it was used or replaced in the meantime. */
export function acceptInvitation(
  { account_id: accountId, id, role }: MemberRow,
  hashed: string | null,
  services: Pick<Services, 'clock' | 'randomness'>,
): Write[] {
  const properties = { memberId: id, role, status: 'active' as const, changed: ['status'] }
  return [
    {
      sql: `UPDATE members SET status = 'active', invitation_hash = NULL, invitation_expires_at = NULL
        WHERE account_id = ? AND id = ? AND invitation_hash = ?`,
      params: [accountId, id, hashed],
      expect: 1,
    },
    ...emit('s_member_updated', { properties }, emitterAt(accountId, services)),
  ]
}

/** The refusal to invite an e-mail address that is a member's already. */
export function isMember(email: string): ApiError {
  return new ApiError(
    'resource_exists',
    `${email} is a member already; change the member instead. Somebody who cannot sign in any more is removed and invited again, or has a link made by whoever runs the platform: "tillwright members invite".`,
    {
      param: 'email',
    },
  )
}

/** A condition that no row of the last active owner meets. Its parameters are the account and the member. */
export const NOT_LAST_OWNER = `(status <> 'active' OR role <> 'owner' OR EXISTS
  (SELECT others.id FROM members others WHERE others.account_id = ? AND others.role = 'owner'
    AND others.status = 'active' AND others.id <> ?))`

/** The refusal of a change that would leave an account without an owner. */
export function lastOwner(): ApiError {
  return new ApiError('state_conflict', 'This is the last owner of the account; make another member an owner first.')
}

/** Deletes what signs a member in: passkeys, identities, codes, and the sessions. */
export function forgetCredentials(accountId: string, memberId: string): Write[] {
  return ['passkeys', 'member_identities', 'recovery_codes', 'member_sessions'].map((table) => ({
    sql: `DELETE FROM ${table} WHERE account_id = ? AND member_id = ?`,
    params: [accountId, memberId],
  }))
}
