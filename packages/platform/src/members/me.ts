import {
  contract,
  type Contract,
  type Operation,
  type ResponseOf,
  roleAllows,
  scopesOfRole,
} from '@tillwright/contract'
import { accountsTable } from '../accounts/index.ts'
import type { Handlers, RequestContext } from '../request-context.ts'
import { ApiError, missing } from '../runtime/index.ts'
import { pick, rowReader } from '../storage/index.ts'
import { countRecoveryCodes, newRecoveryCodes, type PasskeyRow, passkeysOf } from './credentials.ts'
import { findMember, toMember } from './member-records.ts'
import { countSessions, endSession, endSessionsOf, listSessions, requireFresh, signedInOf } from './sessions.ts'

/**
 * What members read and change of themselves.
 *
 * @param clearCookie The header that makes a browser forget the session.
 */
export function me(clearCookie: string): Handlers<Contract['me']> {
  const signedOut = { 'Set-Cookie': clearCookie }
  return {
    get: async (_, context) => ({ body: await profile(context) }),
    listSessions: async (_, context) => ({
      body: { data: await listSessions(signedInOf(context).memberId, context) },
    }),
    async endSession({ params }, context) {
      const { memberId } = signedInOf(context)
      const own = await listSessions(memberId, context)
      const id = params.memberSessionId
      if (!own.some((session) => session.id === id)) throw missing('session', id, 'memberSessionId')
      return { body: { ended: 1 }, writes: [endSession({ accountId: context.caller.accountId, memberId, id })] }
    },
    async signOut(_, context) {
      const { memberId, id } = signedInOf(context)
      const { accountId } = context.caller
      return { body: { ended: 1 }, headers: signedOut, writes: [endSession({ accountId, memberId, id })] }
    },
    async signOutEverywhere(_, context) {
      const { memberId } = signedInOf(context)
      const ended = await countSessions(memberId, context)
      return { body: { ended }, headers: signedOut, writes: [endSessionsOf(context.caller.accountId, memberId)] }
    },
    async removePasskey({ params }, context) {
      const { accountId } = context.caller
      const body = await profile(context)
      const passkeys = body.passkeys.filter(({ id }) => id !== params.passkeyId)
      if (passkeys.length === body.passkeys.length) throw missing('passkey', params.passkeyId, 'passkeyId')
      const { memberId } = signedInOf(context)
      return { body: { ...body, passkeys }, writes: [removePasskey({ accountId, memberId, id: params.passkeyId })] }
    },
    async newRecoveryCodes(_, context) {
      const member = signedInOf(context)
      requireFresh(member, context.nowMs)
      const owner = { accountId: context.caller.accountId, memberId: member.memberId }
      const { codes, writes } = newRecoveryCodes(owner, context.services)
      // The codes are for the member alone.
      const change = { resource: { type: 'member', id: member.memberId }, after: { codes: codes.length } }
      return { body: { codes }, writes, change }
    },
  }
}

function removePasskey({ accountId, memberId, id }: { accountId: string; memberId: string; id: string }) {
  return {
    sql: `DELETE FROM passkeys WHERE account_id = ? AND member_id = ? AND id = ? AND EXISTS
      (SELECT others.id FROM passkeys others WHERE others.account_id = ? AND others.member_id = ? AND others.id <> ?)`,
    params: [accountId, memberId, id, accountId, memberId, id],
    expect: 1,
    onRefused: () => new ApiError('state_conflict', 'This is your last passkey; add another one first.'),
  }
}

async function profile(context: RequestContext): Promise<ResponseOf<Contract['me']['get']>> {
  const { memberId, id } = signedInOf(context)
  const { accountId } = context.caller
  const { db } = context.services
  const [row, accounts, passkeys, recoveryCodesLeft] = await Promise.all([
    findMember(accountId, memberId, db),
    db.read('SELECT name FROM accounts WHERE id = ?', [accountId]),
    passkeysOf(accountId, memberId, db),
    countRecoveryCodes(accountId, memberId, db),
  ])
  if (row === null) throw missing('member', memberId)
  const operations = allOperations.filter(({ operation }) => roleAllows(row.role, operation)).map(({ name }) => name)
  return {
    member: toMember(row),
    accountName: readNames(accounts)[0]?.name ?? '',
    scopes: [...scopesOfRole[row.role]],
    operations,
    passkeys: passkeys.map(shownPasskey),
    recoveryCodesLeft,
    sessionId: id,
  }
}

const readNames = rowReader(pick(accountsTable, 'name'))

const allOperations = Object.entries(contract).flatMap(([group, named]) =>
  Object.entries<Operation>(named).map(([name, operation]) => ({ name: `${group}.${name}`, operation })),
)

function shownPasskey(row: PasskeyRow) {
  return {
    id: row.id,
    name: row.name,
    isBackedUp: row.backed_up,
    createdAt: new Date(row.created_at).toISOString(),
    lastUsedAt: row.last_used_at === null ? null : new Date(row.last_used_at).toISOString(),
  }
}
