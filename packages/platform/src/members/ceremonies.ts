import { hash } from 'node:crypto'
import { accountsTable } from '../accounts/index.ts'
import { recordNow } from '../audit/index.ts'
import type { Services, Write } from '../request-context.ts'
import { ApiError, base62 } from '../runtime/index.ts'
import { pick, rowReader, type RowOf } from '../storage/index.ts'
import { findMember, hashInvitation, type MemberRow, readMembers } from './member-records.ts'
import { endSession, newMemberSession, type SignIn } from './sessions.ts'
import { ceremoniesTable } from './tables.ts'

export type SignInServices = Pick<Services, 'db' | 'clock' | 'randomness' | 'secrets' | 'log'>

/** A step of a sign-in: what the browser is answered, and which cookies it is given. */
export interface Step<Body> {
  body: Body
  /** The ceremony that the browser continues with. */
  ceremony?: string
  /** The token of the session that has begun. */
  session?: string
}

/** Where a sign-in comes from. `former`: the session that the browser had, of whichever account, which ends. */
export interface Visitor {
  ceremony: string | null
  former: (MemberKey & { id: string }) | null
  address: string
  userAgent: string | undefined
}

/** A member, by the keys of the row. */
export interface MemberKey {
  accountId: string
  memberId: string
}

export function ownerOf({ account_id: accountId, id: memberId }: MemberRow): MemberKey {
  return { accountId, memberId }
}

/** How long a person has for the passkey, or at the provider. */
const CEREMONY_MS = 5 * 60 * 1_000
const CEREMONY_CHARS = 43
const CHALLENGE_BYTES = 32

type CeremonyRow = RowOf<typeof ceremoniesTable>

/** A sign-in that begins. `challenge`: what it is remembered by; random bytes unless given. */
interface NewCeremony {
  kind: CeremonyRow['kind']
  subject: MemberKey | null
  challenge?: string
}

/** Begins a sign-in, which only the browser that holds the returned ceremony can finish. Only its hash is stored. */
export async function beginCeremony(
  { kind, subject, challenge: given }: NewCeremony,
  { db, clock, randomness }: SignInServices,
): Promise<{ ceremony: string; challenge: string }> {
  const ceremony = base62(randomness, CEREMONY_CHARS)
  const challenge = given ?? Buffer.from(randomness.bytes(CHALLENGE_BYTES)).toString('base64url')
  const until = clock.now() + CEREMONY_MS
  const outcome = await db.write([
    {
      sql: `INSERT INTO sign_in_ceremonies (hash, kind, challenge, account_id, member_id, expires_at)
        VALUES (?, ?, ?, ?, ?, ?)`,
      params: [hash('sha256', ceremony), kind, challenge, subject?.accountId ?? null, subject?.memberId ?? null, until],
    },
  ])
  if (outcome.outcome !== 'committed') throw new Error('A new ceremony has a hash of its own.')
  return { ceremony, challenge }
}

/**
 * Ends a ceremony: whatever comes of it, its challenge is good for nothing any more.
 *
 * @throws {ApiError} `sign_in_failed` for a ceremony of another browser, or one that was finished or has expired.
 */
export async function takeCeremony(
  kind: CeremonyRow['kind'],
  { ceremony }: Visitor,
  { db, clock }: SignInServices,
): Promise<Pick<CeremonyRow, 'challenge' | 'account_id' | 'member_id'>> {
  const sql = `DELETE FROM sign_in_ceremonies WHERE hash = ? AND kind = ? AND expires_at > ?
    RETURNING challenge, account_id, member_id`
  const params = [hash('sha256', ceremony ?? ''), kind, clock.now()]
  const outcome = ceremony === null ? null : await db.write([{ sql, params }])
  const [row] = outcome?.outcome === 'committed' ? readCeremonies(outcome.returned[0] ?? []) : []
  if (row === undefined) throw signInFailed('This sign-in has expired or was finished before; begin again.')
  return row
}

const readCeremonies = rowReader(pick(ceremoniesTable, 'challenge', 'account_id', 'member_id'))

/** Begins a session, in place of the one that the browser had. */
export async function openSession(
  member: Pick<SignIn, 'accountId' | 'memberId' | 'method'>,
  { from, writes }: { from: Visitor; writes: readonly Write[] },
  services: SignInServices,
): Promise<string> {
  const { token, write } = newMemberSession({ ...member, address: from.address, userAgent: from.userAgent }, services)
  const { former } = from
  const ofAccount = former?.accountId === member.accountId ? [endSession(former)] : []
  const entry = await noted({ ...member, operation: 'me.signIn', after: { method: member.method } }, from, services)
  const outcome = await services.db.write(
    [...writes, ...ofAccount, write, ...entry].map(({ onRefused: _, ...each }) => each),
  )
  if (outcome.outcome !== 'committed') throw signInFailed('This was used already; begin again.')
  if (former !== null && ofAccount.length === 0) await endElsewhere(former, from, services)
  return token
}

/** Ends the session of a browser whose member has signed in to another account: no transaction spans the two. */
async function endElsewhere(
  former: NonNullable<Visitor['former']>,
  from: Visitor,
  services: SignInServices,
): Promise<void> {
  const entry = await noted({ ...former, operation: 'me.signOut', after: { ended: 1 } }, from, services)
  await services.db.write([endSession(former), ...entry].map(({ onRefused: _, ...each }) => each))
}

/** The writes of the audit entry of a sign-in, or of a new way to sign in. */
export async function noted(
  { accountId, memberId, operation, after }: MemberKey & { operation: string; after: object },
  from: Visitor,
  services: SignInServices,
): Promise<Write[]> {
  const member = await findMember(accountId, memberId, services.db)
  const change = {
    accountId,
    // As `findSignedIn` names the member in all that follows.
    actor: { kind: 'member', id: memberId, name: member?.name ?? member?.email ?? null },
    operation,
    resource: { type: 'member', id: memberId },
    address: from.address,
    userAgent: from.userAgent,
    after,
  } as const
  return recordNow(change, services)
}

/** The member whom an invitation is for. */
export async function invitedMember(token: string, services: SignInServices): Promise<MemberRow> {
  return invitedBy(hashInvitation(token), services)
}

/** @throws {ApiError} `sign_in_failed`. */
export async function invitedBy(hashed: string | null, { db, clock }: SignInServices): Promise<MemberRow> {
  const rows = hashed === null ? [] : await db.read('SELECT * FROM members WHERE invitation_hash = ?', [hashed])
  const [member] = readMembers(rows)
  if (member !== undefined && (member.invitation_expires_at ?? 0) > clock.now()) return member
  throw signInFailed('This invitation is unknown, was used or has expired; ask for a new one.')
}

const readNames = rowReader(pick(accountsTable, 'name'))

export async function accountName(accountId: string, { db }: Pick<Services, 'db'>): Promise<string> {
  const [row] = readNames(await db.read('SELECT name FROM accounts WHERE id = ?', [accountId]))
  return row?.name ?? 'Tillwright'
}

export function signInFailed(message: string, cause?: unknown): ApiError {
  return new ApiError('sign_in_failed', message, { headers: { 'WWW-Authenticate': 'Cookie' }, cause })
}
