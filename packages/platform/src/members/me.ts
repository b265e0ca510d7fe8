import {
  canNameStore,
  contract,
  type Contract,
  type Operation,
  type ResponseOf,
  roleAllows,
  scopesOfRole,
} from '@tillwright/contract'
import { accountsTable, oneAfterAnother } from '../accounts/index.ts'
import type { CallingMember, Handlers, RequestContext, Write } from '../request-context.ts'
import { ApiError, missing } from '../runtime/index.ts'
import { pick, rowReader } from '../storage/index.ts'
import { type ConsolePlace, setCookie } from './console-place.ts'
import {
  countRecoveryCodes,
  type IdentityRow,
  identitiesOf,
  newRecoveryCodes,
  type PasskeyRow,
  passkeysOf,
} from './credentials.ts'
import { findMember, toMember } from './member-records.ts'
import { countSessions, endSession, endSessionsOf, listSessions, requireFresh, signedInOf } from './sessions.ts'

/**
 * Handlers by which members read and change their own profile, sessions and ways to sign in.
 *
 * @param place Where the session's cookie is, and how long sessions last.
 * @param issuer The OpenID Connect provider of the platform; `null` for none. Identities of another one cannot sign in.
 * @param isOperator Whether an account is that of the platform's operator.
 */
export function me(
  place: ConsolePlace,
  { issuer, isOperator }: { issuer: string | null; isOperator: (accountId: string) => boolean },
): Handlers<Contract['me']> {
  const profile = (context: RequestContext) => profileOf(context, isOperator)
  const { idleMs } = place
  const signedOut = { 'Set-Cookie': setCookie('session', null, place) }
  return {
    get: async (_, context) => ({ body: await profile(context) }),
    listSessions: async (_, context) => ({
      body: { data: await listSessions(signedInOf(context).memberId, context, idleMs) },
    }),
    async endSession({ params }, context) {
      const { memberId } = signedInOf(context)
      const own = await listSessions(memberId, context, idleMs)
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
      const ended = await countSessions(memberId, context, idleMs)
      return { body: { ended }, headers: signedOut, writes: [endSessionsOf(context.caller.accountId, memberId)] }
    },
    async removePasskey({ params }, context) {
      const { accountId } = context.caller
      const member = freshMember(context)
      const body = await profile(context)
      const passkeys = body.passkeys.filter(({ id }) => id !== params.passkeyId)
      if (passkeys.length === body.passkeys.length) throw missing('passkey', params.passkeyId, 'passkeyId')
      const passkey = { accountId, memberId: member.memberId, id: params.passkeyId }
      return { body: { ...body, passkeys }, writes: removePasskey(passkey, { issuer, sessionId: member.id }) }
    },
    async removeIdentity({ params }, context) {
      const { accountId } = context.caller
      const member = freshMember(context)
      const body = await profile(context)
      const identities = body.identities.filter(({ id }) => id !== params.memberIdentityId)
      if (identities.length === body.identities.length)
        throw missing('identity', params.memberIdentityId, 'memberIdentityId')
      const identity = { accountId, memberId: member.memberId, id: params.memberIdentityId }
      const change = { before: { identities: body.identities } }
      return { body: { ...body, identities }, writes: removeIdentity(identity, issuer), change }
    },
    async newRecoveryCodes(_, context) {
      const member = freshMember(context)
      const owner = { accountId: context.caller.accountId, memberId: member.memberId }
      const { codes, writes } = newRecoveryCodes(owner, context.services)
      // The codes are for the member alone.
      const change = { resource: { type: 'member', id: member.memberId }, after: { codes: codes.length } }
      return { body: { codes }, writes, change }
    },
  }
}

/** The member of a request that changes how the member signs in. */
function freshMember(context: RequestContext): CallingMember {
  const member = signedInOf(context)
  requireFresh(member, context.nowMs)
  return member
}

interface Owned {
  accountId: string
  memberId: string
  id: string
}

/** All other sessions end with it: the passkey may be on a lost device, and so may they. */
function removePasskey(
  { accountId, memberId, id }: Owned,
  { issuer, sessionId }: { issuer: string | null; sessionId: string },
): Write[] {
  return [
    oneAfterAnother(accountId),
    {
      sql: `DELETE FROM passkeys WHERE account_id = ? AND member_id = ? AND id = ? AND ${SIGNS_IN_OTHERWISE}`,
      params: [accountId, memberId, id, ...signsInOtherwise({ accountId, memberId, id }, issuer)],
      expect: 1,
      onRefused: () =>
        new ApiError('state_conflict', 'This passkey is your last way to sign in; add another one first.'),
    },
    {
      sql: 'DELETE FROM member_sessions WHERE account_id = ? AND member_id = ? AND id <> ?',
      params: [accountId, memberId, sessionId],
    },
  ]
}

/** Sessions that the identity may have begun end with it. */
function removeIdentity({ accountId, memberId, id }: Owned, issuer: string | null): Write[] {
  return [
    oneAfterAnother(accountId),
    {
      sql: `DELETE FROM member_identities WHERE account_id = ? AND member_id = ? AND id = ? AND ${SIGNS_IN_OTHERWISE}`,
      params: [accountId, memberId, id, ...signsInOtherwise({ accountId, memberId, id }, issuer)],
      expect: 1,
      onRefused: () => new ApiError('state_conflict', 'This is your last way to sign in; add a passkey first.'),
    },
    {
      sql: `DELETE FROM member_sessions WHERE account_id = ? AND member_id = ? AND method = 'openid'`,
      params: [accountId, memberId],
    },
  ]
}

/** A condition that no row of the last way to sign in meets. */
const SIGNS_IN_OTHERWISE = `(EXISTS
  (SELECT k.id FROM passkeys k WHERE k.account_id = ? AND k.member_id = ? AND k.id <> ?) OR EXISTS
  (SELECT i.id FROM member_identities i WHERE i.account_id = ? AND i.member_id = ? AND i.id <> ? AND i.issuer = ?))`

function signsInOtherwise({ accountId, memberId, id }: Owned, issuer: string | null) {
  return [accountId, memberId, id, accountId, memberId, id, issuer ?? ''] as const
}

async function profileOf(
  context: RequestContext,
  isOperator: (accountId: string) => boolean,
): Promise<ResponseOf<Contract['me']['get']>> {
  const { memberId, id } = signedInOf(context)
  const { accountId } = context.caller
  const { db } = context.services
  const [row, accounts, passkeys, identities, recoveryCodesLeft] = await Promise.all([
    findMember(accountId, memberId, db),
    db.read('SELECT name FROM accounts WHERE id = ?', [accountId]),
    passkeysOf(accountId, memberId, db),
    identitiesOf({ accountId, memberId }, db),
    countRecoveryCodes(accountId, memberId, db),
  ])
  if (row === null) throw missing('member', memberId)
  const isOwnToo = ({ operator }: Operation) => operator !== true || isOperator(accountId)
  const allowed = allOperations.filter(({ operation }) => roleAllows(row.role, operation) && isOwnToo(operation))
  const operations = allowed.filter(({ operation }) => row.store_ids === null || canNameStore(operation))
  return {
    member: toMember(row),
    accountName: readNames(accounts)[0]?.name ?? '',
    scopes: scopesOfRole[row.role].filter((scope) => scope !== 'platform:read' || isOperator(accountId)),
    operations: operations.map(({ name }) => name),
    passkeys: passkeys.map(shownPasskey),
    identities: identities.map(shownIdentity),
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

function shownIdentity({ id, issuer, email, created_at: createdAt, last_used_at: lastUsedAt }: IdentityRow) {
  return {
    id,
    issuer,
    email,
    createdAt: new Date(createdAt).toISOString(),
    lastUsedAt: lastUsedAt === null ? null : new Date(lastUsedAt).toISOString(),
  }
}
