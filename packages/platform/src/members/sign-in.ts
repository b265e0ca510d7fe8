import { hash } from 'node:crypto'
import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON,
} from '@simplewebauthn/server'
import { accountsTable } from '../accounts/index.ts'
import { recordNow } from '../audit/index.ts'
import type { Services, Write } from '../request-context.ts'
import { ApiError, base62 } from '../runtime/index.ts'
import { pick, rowReader } from '../storage/index.ts'
import type { ConsolePlace } from './console-place.ts'
import {
  findPasskey,
  hashRecoveryCode,
  insertPasskey,
  newRecoveryCodes,
  noteUseOfPasskey,
  passkeysOf,
  useRecoveryCode,
} from './credentials.ts'
import { acceptInvitation, findMember, hashInvitation, type MemberRow, readMembers } from './member-records.ts'
import { endFormer, endSessionsOf, newMemberSession, type SignIn } from './sessions.ts'
import { ceremoniesTable, recoveryCodesTable } from './tables.ts'

type SignInServices = Pick<Services, 'db' | 'clock' | 'randomness' | 'secrets'>

/** A step of a sign-in: what the browser is answered, and which cookies it is given. */
export interface Step<Body> {
  body: Body
  /** The ceremony that the browser continues with. */
  ceremony?: string
  /** The token of the session that has begun. */
  session?: string
}

/** Where a sign-in comes from. `formerToken`: of the session that the browser had, which ends. */
export interface Visitor {
  ceremony: string | null
  formerToken: string | null
  address: string
  userAgent: string | undefined
}

/** Loaded when somebody signs in: it is a tenth of the start, and many processes never need it. */
const webAuthn = () => import('@simplewebauthn/server')

/** EdDSA, ES256 and RS256, by their numbers at IANA: what every authenticator has one of. */
const ALGORITHMS = [-8, -7, -257]

/** How long a person has for the passkey. */
const CEREMONY_MS = 5 * 60 * 1_000
const CEREMONY_CHARS = 43
const CHALLENGE_BYTES = 32

type CeremonyKind = 'sign_in' | 'accept' | 'add_passkey'

/** The sign-in of members: with a passkey, with a recovery code, and for the first time by an invitation. */
export class MemberSignIn {
  readonly #services: SignInServices
  readonly #place: ConsolePlace

  constructor(services: SignInServices, place: ConsolePlace) {
    this.#services = services
    this.#place = place
  }

  get #expected() {
    return { expectedOrigin: this.#place.origin, expectedRPID: this.#place.rpId }
  }

  async #begin(kind: CeremonyKind, subject: { accountId: string; memberId: string } | null) {
    const [ceremony, nowMs] = [base62(this.#services.randomness, CEREMONY_CHARS), this.#services.clock.now()]
    const challenge = Buffer.from(this.#services.randomness.bytes(CHALLENGE_BYTES)).toString('base64url')
    const outcome = await this.#services.db.write([
      {
        sql: `INSERT INTO sign_in_ceremonies (hash, kind, challenge, account_id, member_id, expires_at)
          VALUES (?, ?, ?, ?, ?, ?)`,
        params: [
          hash('sha256', ceremony),
          kind,
          challenge,
          subject?.accountId ?? null,
          subject?.memberId ?? null,
          nowMs + CEREMONY_MS,
        ],
      },
    ])
    if (outcome.outcome !== 'committed') throw new Error('A new ceremony has a hash of its own.')
    return { ceremony, challenge }
  }

  /** Ends a ceremony: whatever comes of it, its challenge is good for nothing any more. */
  async #take(kind: CeremonyKind, { ceremony }: Visitor) {
    const sql = `DELETE FROM sign_in_ceremonies WHERE hash = ? AND kind = ? AND expires_at > ?
      RETURNING challenge, account_id, member_id`
    const params = [hash('sha256', ceremony ?? ''), kind, this.#services.clock.now()]
    const outcome = ceremony === null ? null : await this.#services.db.write([{ sql, params }])
    const [row] = outcome?.outcome === 'committed' ? readCeremonies(outcome.returned[0] ?? []) : []
    if (row === undefined) throw failed('This sign-in has expired or was finished before; begin again.')
    return row
  }

  /** Begins a session, in place of the one that the browser had. */
  async #session(member: Pick<SignIn, 'accountId' | 'memberId' | 'method'>, from: Visitor, writes: Write[]) {
    const { token, write } = newMemberSession(
      { ...member, address: from.address, userAgent: from.userAgent },
      this.#services,
    )
    const former = from.formerToken === null ? [] : [endFormer(member.accountId, from.formerToken)]
    const outcome = await this.#services.db.write(
      [...writes, ...former, write, ...this.#noted(member.method, member, from)].map(
        ({ onRefused: _, ...each }) => each,
      ),
    )
    if (outcome.outcome !== 'committed') throw failed('This was used already; begin again.')
    return token
  }

  /** What the audit log keeps of a sign-in. */
  #noted(how: string, { accountId, memberId }: { accountId: string; memberId: string }, from: Visitor): Write[] {
    const change = {
      accountId,
      actor: { kind: 'member', id: memberId, name: null },
      operation: how === 'add_passkey' ? 'me.addPasskey' : 'me.signIn',
      resource: { type: 'member', id: memberId },
      address: from.address,
      userAgent: from.userAgent,
      after: { method: how },
    } as const
    return recordNow(change, this.#services)
  }

  async #registrationOptions(member: MemberRow, challenge: string) {
    const known = await passkeysOf(member.account_id, member.id, this.#services.db)
    const { generateRegistrationOptions } = await webAuthn()
    return generateRegistrationOptions({
      rpName: await accountName(member.account_id, this.#services),
      rpID: this.#place.rpId,
      userName: member.email,
      userDisplayName: member.name ?? member.email,
      userID: new Uint8Array(Buffer.from(member.id)),
      challenge: new Uint8Array(Buffer.from(challenge, 'base64url')),
      attestationType: 'none',
      supportedAlgorithmIDs: ALGORITHMS,
      excludeCredentials: known.map(({ credential_id: id, transports }) => ({ id, transports })),
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    })
  }

  async #verifiedPasskey(
    sent: { name: string; response: RegistrationResponseJSON },
    challenge: string,
    owner: MemberRow,
  ) {
    const { verifyRegistrationResponse } = await webAuthn()
    const asked = { expectedChallenge: challenge, ...this.#expected, supportedAlgorithmIDs: ALGORITHMS }
    const { registrationInfo: info } = await tried(() =>
      verifyRegistrationResponse({ response: sent.response, ...asked }),
    )
    if (info === undefined) throw failed('The passkey could not be verified; begin again.')
    const passkey = {
      account_id: owner.account_id,
      member_id: owner.id,
      credential_id: info.credential.id,
      public_key: Buffer.from(info.credential.publicKey).toString('base64url'),
      counter: info.credential.counter,
      transports: (info.credential.transports ?? []).map(String),
      name: sent.name,
      backed_up: info.credentialBackedUp,
    }
    return insertPasskey(passkey, this.#services)
  }

  /** Begins a sign-in with a passkey. Nobody has to say who they are: the passkey knows. */
  async begin(): Promise<Step<PublicKeyCredentialRequestOptionsJSON>> {
    const { ceremony, challenge } = await this.#begin('sign_in', null)
    const { generateAuthenticationOptions } = await webAuthn()
    const body = await generateAuthenticationOptions({
      rpID: this.#place.rpId,
      challenge: new Uint8Array(Buffer.from(challenge, 'base64url')),
      userVerification: 'required',
    })
    return { body, ceremony }
  }

  /** @throws {ApiError} `sign_in_failed`, the same whatever is wrong. */
  async withPasskey(response: AuthenticationResponseJSON, from: Visitor): Promise<Step<object>> {
    const { challenge } = await this.#take('sign_in', from)
    const passkey = await findPasskey(response.id, this.#services.db)
    const member = passkey && (await findMember(passkey.account_id, passkey.member_id, this.#services.db))
    if (passkey === null || member?.status !== 'active') throw failed('This passkey is not known here.')
    const credential = {
      id: passkey.credential_id,
      publicKey: new Uint8Array(Buffer.from(passkey.public_key, 'base64url')),
      counter: passkey.counter,
    }
    const { verifyAuthenticationResponse } = await webAuthn()
    const { verified, authenticationInfo } = await tried(() =>
      verifyAuthenticationResponse({ response, expectedChallenge: challenge, ...this.#expected, credential }),
    )
    // A discoverable passkey says whose it is; what it says has to agree.
    const handle = response.response.userHandle
    const isOwn = handle === undefined || Buffer.from(handle, 'base64url').toString() === member.id
    if (!verified || !isOwn) throw failed('The passkey could not be verified; begin again.')
    const use = noteUseOfPasskey(passkey, authenticationInfo.newCounter, this.#services.clock.now())
    const owner = { accountId: member.account_id, memberId: member.id, method: 'passkey' } as const
    return { body: {}, session: await this.#session(owner, from, [use]) }
  }

  /** @throws {ApiError} `sign_in_failed`, the same for an unknown address and for a wrong code. */
  async withRecoveryCode(sent: { email: string; code: string }, from: Visitor): Promise<Step<object>> {
    const hashed = hashRecoveryCode(sent.code)
    const [code] = readCodes(await this.#services.db.read('SELECT * FROM recovery_codes WHERE hash = ?', [hashed]))
    const member = code === undefined ? null : await findMember(code.account_id, code.member_id, this.#services.db)
    if (code === undefined || member?.status !== 'active' || member.email !== sent.email.trim().toLowerCase())
      throw failed('The e-mail address and the recovery code do not fit, or the code was used.')
    const owner = { accountId: member.account_id, memberId: member.id, method: 'recovery_code' } as const
    const used = useRecoveryCode(member.account_id, member.id, hashed)
    return { body: {}, session: await this.#session(owner, from, [used]) }
  }

  /** Begins the acceptance of an invitation, which makes the first passkey. */
  async beginAcceptance(
    token: string,
  ): Promise<Step<{ email: string; accountName: string; options: PublicKeyCredentialCreationOptionsJSON }>> {
    const member = await invitedMember(token, this.#services)
    const { ceremony, challenge } = await this.#begin('accept', { accountId: member.account_id, memberId: member.id })
    const name = await accountName(member.account_id, this.#services)
    return {
      body: { email: member.email, accountName: name, options: await this.#registrationOptions(member, challenge) },
      ceremony,
    }
  }

  /** Accepts an invitation: the member has a passkey and recovery codes, and is signed in. */
  async accept(
    sent: { token: string; name: string; response: RegistrationResponseJSON },
    from: Visitor,
  ): Promise<Step<{ recoveryCodes: string[] }>> {
    const { challenge, member_id: begunFor } = await this.#take('accept', from)
    const member = await invitedMember(sent.token, this.#services)
    if (member.id !== begunFor) throw failed('This sign-in was begun with another invitation; begin again.')
    const passkey = await this.#verifiedPasskey(sent, challenge, member)
    const owner = { accountId: member.account_id, memberId: member.id, method: 'invitation' } as const
    const { codes, writes } = newRecoveryCodes(owner, this.#services)
    const accepted = [
      acceptInvitation(member, hashInvitation(sent.token)),
      endSessionsOf(owner.accountId, owner.memberId),
      passkey,
      ...writes,
    ]
    return { body: { recoveryCodes: codes }, session: await this.#session(owner, from, accepted) }
  }

  /** Begins the addition of a passkey to a signed-in member. */
  async beginPasskey(owner: {
    accountId: string
    memberId: string
  }): Promise<Step<PublicKeyCredentialCreationOptionsJSON>> {
    const { ceremony, challenge } = await this.#begin('add_passkey', owner)
    const member = await findMember(owner.accountId, owner.memberId, this.#services.db)
    if (member === null) throw failed('This member does not exist any more.')
    return { body: await this.#registrationOptions(member, challenge), ceremony }
  }

  async addPasskey(
    owner: { accountId: string; memberId: string },
    sent: { name: string; response: RegistrationResponseJSON },
    from: Visitor,
  ): Promise<Step<object>> {
    const begun = await this.#take('add_passkey', from)
    const member = await findMember(owner.accountId, owner.memberId, this.#services.db)
    if (member === null || begun.member_id !== owner.memberId || begun.account_id !== owner.accountId)
      throw failed('This was begun by another member; begin again.')
    const { onRefused: _, ...write } = await this.#verifiedPasskey(sent, begun.challenge, member)
    const noted = this.#noted('add_passkey', owner, from)
    const outcome = await this.#services.db.write([write, ...noted.map(({ onRefused: __, ...each }) => each)])
    if (outcome.outcome !== 'committed') throw failed('This passkey is known already; use another one.')
    return { body: {} }
  }
}

const readCeremonies = rowReader(pick(ceremoniesTable, 'challenge', 'account_id', 'member_id'))
const readCodes = rowReader(recoveryCodesTable)
const readNames = rowReader(pick(accountsTable, 'name'))

async function accountName(accountId: string, { db }: Pick<Services, 'db'>): Promise<string> {
  const [row] = readNames(await db.read('SELECT name FROM accounts WHERE id = ?', [accountId]))
  return row?.name ?? 'Tillwright'
}

async function invitedMember(token: string, { db, clock }: Pick<Services, 'db' | 'clock'>): Promise<MemberRow> {
  const hashed = hashInvitation(token)
  const rows = hashed === null ? [] : await db.read('SELECT * FROM members WHERE invitation_hash = ?', [hashed])
  const [member] = readMembers(rows)
  if (member !== undefined && (member.invitation_expires_at ?? 0) > clock.now()) return member
  throw failed('This invitation is unknown, was used or has expired; ask for a new one.')
}

/** The library throws for whatever is wrong with a response, and a caller is told no more than that. */
async function tried<Result>(verify: () => Promise<Result>): Promise<Result> {
  try {
    return await verify()
  } catch (error) {
    throw failed('The passkey could not be verified; begin again.', error)
  }
}

function failed(message: string, cause?: unknown): ApiError {
  return new ApiError('sign_in_failed', message, { headers: { 'WWW-Authenticate': 'Cookie' }, cause })
}
