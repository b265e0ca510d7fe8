import { isDeepStrictEqual } from 'node:util'
import type { Contract, Member, MemberUpdate, RequestOf } from '@tillwright/contract'
import { asCaller } from '../accounts/index.ts'
import { emit, type Emitter } from '../events/index.ts'
import { equalTo, type ListTable, readList } from '../lists/index.ts'
import type { Handlers, RequestContext, Write } from '../request-context.ts'
import { ApiError, missing } from '../runtime/index.ts'
import type { ConsolePlace } from './console-place.ts'
import {
  findByEmail,
  findMember,
  findMembers,
  forgetCredentials,
  invitation,
  isMember,
  lastOwner,
  type MemberRow,
  NOT_LAST_OWNER,
  toMember,
} from './member-records.ts'
import { countSessions, endSessionsOf, listSessions } from './sessions.ts'

/**
 * The operations on the people of an account.
 *
 * @param place Where links of invitations lead, and how long sessions last.
 */
export function members({ origin, idleMs }: ConsolePlace): Handlers<Contract['members']> {
  return {
    list: async (request, context) => ({ body: await listMembers(request, context) }),
    get: async ({ params }, context) => ({ body: toMember(await requireMember(params.memberId, context)) }),
    async invite({ body }, context) {
      const { accountId } = context.caller
      const storeIds = await checkStores(body.storeIds ?? null, body.role, context)
      const known = await findByEmail(accountId, body.email, context.services.db)
      if (known?.status === 'active') throw isMember(body.email)
      const invited = { accountId, email: body.email, name: body.name ?? null, role: body.role, storeIds }
      const { member, token, expiresAtMs, writes } = invitation(invited, known, context.services)
      const expiresAt = new Date(expiresAtMs).toISOString()
      const answer = { member, link: invitationLink(origin, token), expiresAt }
      const events = emit('s_member_invited', { properties: { memberId: member.id, role: member.role } }, context)
      const change = { ...ofMember(member.id), after: member }
      return { body: answer, writes: [...asCaller(context), ...writes, ...events], change }
    },
    async update({ params, body }, context) {
      const row = await requireMember(params.memberId, context)
      requirePresent(row)
      const changed = await changedRow(row, body, context)
      const change = { ...ofMember(row.id), before: toMember(row) }
      const events = updated(changed, changedFields(row, changed), context)
      const writes = [...asCaller(context), ...updateWrites(row, changed), ...events]
      return { body: toMember(changed), writes, change }
    },
    async remove({ params }, context) {
      const row = await requireMember(params.memberId, context)
      requirePresent(row)
      const removed: Member = { ...toMember(row), status: 'removed', invitationExpiresAt: null }
      const events = emit('s_member_removed', { properties: { memberId: row.id, role: row.role } }, context)
      return {
        body: removed,
        change: { ...ofMember(row.id), before: toMember(row) },
        writes: [...asCaller(context), ...removalWrites(row), ...events],
      }
    },
    async listSessions({ params }, context) {
      const { id } = await requireMember(params.memberId, context)
      return { body: { data: await listSessions(id, context, idleMs) } }
    },
    async endSessions({ params }, context) {
      const row = await requireMember(params.memberId, context)
      const { id } = row
      const ended = await countSessions(id, context, idleMs)
      const writes = [endSessionsOf(context.caller.accountId, id), ...updated(row, ['sessions'], context)]
      return { body: { ended }, writes, change: ofMember(id) }
    },
  }
}

/** A page of the members who were not removed. */
function listMembers(
  { query }: RequestOf<Contract['members']['list']>,
  { caller: { accountId }, services: { db } }: RequestContext,
) {
  const filters = [...equalTo('role', query.role), ...equalTo('status', query.status)]
  return readList(presentMembers, { accountId, query, filters, anyOf: null }, db)
}

const presentMembers: ListTable<Member> = {
  table: 'members',
  orderedBy: 'created_at',
  only: `status <> 'removed'`,
  indexed: [],
  read: async (ids, accountId, db) => (await findMembers(ids, accountId, db)).map(toMember),
}

function ofMember(id: string) {
  return { resource: { type: 'member', id } }
}

/** The link that accepts an invitation. The token stands behind the `#`, which browsers do not send. */
export function invitationLink(consoleUrl: string, token: string): string {
  return `${consoleUrl}/console/accept#${token}`
}

async function requireMember(id: string, { caller, services }: RequestContext): Promise<MemberRow> {
  const row = await findMember(caller.accountId, id, services.db)
  if (row === null) throw missing('member', id, 'memberId')
  return row
}

function requirePresent({ status }: MemberRow): void {
  if (status !== 'removed') return
  throw new ApiError('state_conflict', 'This member was removed; invite the person again.')
}

async function changedRow(row: MemberRow, change: MemberUpdate, context: RequestContext): Promise<MemberRow> {
  const role = change.role ?? row.role
  // A new owner has all stores, unless the request says otherwise, which is refused.
  const kept = role === 'owner' ? null : row.store_ids
  const storeIds = await checkStores(change.storeIds === undefined ? kept : change.storeIds, role, context)
  return { ...row, name: change.name ?? row.name, role, store_ids: storeIds === null ? null : [...storeIds] }
}

/** The fields that are other than before; none where an update says what is so already. */
function changedFields(before: MemberRow, after: MemberRow): string[] {
  const fields = { name: 'name', role: 'role', store_ids: 'storeIds' } as const
  const columns = ['name', 'role', 'store_ids'] as const
  return columns.filter((column) => !isDeepStrictEqual(before[column], after[column])).map((column) => fields[column])
}

/** The event of a member's change; none where nothing has changed. */
function updated(
  { id: memberId, role, status }: Pick<MemberRow, 'id' | 'role' | 'status'>,
  changed: readonly string[],
  emitter: Emitter,
): Write[] {
  const properties = { memberId, role, status, changed: [...changed] }
  return changed.length === 0 ? [] : emit('s_member_updated', { properties }, emitter)
}

/** Refused when the rights were changed since they were read: the later of two requests must not undo the other. */
function updateWrites(row: MemberRow, { name, role, store_ids: storeIds }: MemberRow) {
  const { account_id: accountId, id } = row
  return [
    {
      sql: `UPDATE members SET role = role
        WHERE account_id = ? AND id = ? AND role = ? AND COALESCE(store_ids, '') = ?`,
      params: [accountId, id, row.role, row.store_ids === null ? '' : JSON.stringify(row.store_ids)],
      expect: 1,
      onRefused: () => new ApiError('state_conflict', 'This member was changed meanwhile; read it, and try again.'),
    },
    {
      sql: `UPDATE members SET name = ?, role = ?, store_ids = ?
        WHERE account_id = ? AND id = ? AND status <> 'removed' AND (role = ? OR ${NOT_LAST_OWNER})`,
      params: [name, role, storeIds === null ? null : JSON.stringify(storeIds), accountId, id, role, accountId, id],
      expect: 1,
      onRefused: lastOwner,
    },
  ]
}

function removalWrites({ account_id: accountId, id }: MemberRow): Write[] {
  return [
    {
      sql: `UPDATE members SET status = 'removed', invitation_hash = NULL, invitation_expires_at = NULL
        WHERE account_id = ? AND id = ? AND ${NOT_LAST_OWNER}`,
      params: [accountId, id, accountId, id],
      expect: 1,
      onRefused: lastOwner,
    },
    ...forgetCredentials(accountId, id),
  ]
}

/** The stores that a member is to be limited to, each once, if the account has them all. */
async function checkStores(
  storeIds: readonly string[] | null,
  role: Member['role'],
  { caller, services }: RequestContext,
): Promise<readonly string[] | null> {
  if (storeIds === null) return null
  if (role === 'owner') {
    throw new ApiError('parameter_invalid', 'storeIds must be left out for an owner, who has all stores.', {
      param: 'storeIds',
    })
  }
  const wanted = [...new Set(storeIds)]
  for (const [index, id] of wanted.entries()) {
    const found = await services.db.read('SELECT id FROM stores WHERE account_id = ? AND id = ?', [
      caller.accountId,
      id,
    ])
    if (found.length === 0) throw missing('store', id, `storeIds[${index}]`)
  }
  return wanted
}
